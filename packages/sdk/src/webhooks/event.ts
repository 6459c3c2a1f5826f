import type * as schema from "../generated/schema.ts";

/** Every type of event that the service sends, for example `lead.created`. */
export type WebhookEventType = schema.WebhookEvent["type"];

/** The event of each type. */
type Events = { [Event in schema.WebhookEvent as Event["type"]]: Event };

/**
 * An event. `WebhookEvent<"lead.created">` is the event of one type; without a type it is a union that narrows on `event.type`.
 * A newer server may send types that this package does not know: keep a `default` branch.
 */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = Events[Type];
