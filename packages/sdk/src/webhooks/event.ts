import type * as schema from "../generated/schema.ts";

/** Event type, for example `lead.created`. */
export type WebhookEventType = schema.WebhookEvent["type"];

/** Event of each type. */
type Events = { [Event in schema.WebhookEvent as Event["type"]]: Event };

/**
 * Webhook event: the body of a delivery. `WebhookEvent<"lead.created">` is the event of one type; `WebhookEvent` is the
 * union of all events, which narrows on `event.type`. New event types may be added: keep a `default` branch.
 */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = Events[Type];
