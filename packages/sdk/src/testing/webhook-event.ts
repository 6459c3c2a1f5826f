import * as examples from "../generated/examples.ts";
import type { WebhookEvent, WebhookEventType } from "../webhooks/event.ts";
import { exampleOf } from "./example-of.ts";
import { merged } from "./merge.ts";
import type { Overrides } from "./responses.ts";

/** All event types that this version of the SDK knows, in the order of the API reference. */
export const eventTypes: readonly WebhookEventType[] = /* @__PURE__ */ Object.keys(
  examples.events,
) as WebhookEventType[];

/**
 * Returns an event of a type: the example in the API reference, with a new `id` and the values that you override.
 *
 * @throws TypeError if there is no such type
 *
 * @example
 * const event = webhookEvent("lead.qualified", { data: { attributes: { score: 91 } } });
 */
export function webhookEvent<Type extends WebhookEventType>(
  type: Type,
  overrides?: Overrides<WebhookEvent<Type>>,
): WebhookEvent<Type> {
  const event = merged(exampleOf(examples.events, type), { id: crypto.randomUUID() });
  return merged(event, overrides) as WebhookEvent<Type>;
}
