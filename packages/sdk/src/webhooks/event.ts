import type { webhooks } from "../generated/schema.ts";

/** Every event type that the service sends, for example `lead.created` (specification §6.1). */
export type WebhookEventType = keyof webhooks;

type Events = {
  [Type in WebhookEventType]: webhooks[Type]["post"]["requestBody"]["content"]["application/json"];
};

/** The event of one type, or of several: `WebhookEventOf<"lead.created" | "lead.updated">`. */
export type WebhookEventOf<Type extends WebhookEventType> = Events[Type];

/**
 * Any event, as a union that narrows on `event.type`. A server that is newer than this package may send types that
 * are not in it: keep a `default` branch.
 */
export type WebhookEvent = Events[WebhookEventType];
