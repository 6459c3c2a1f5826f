import { InvalidArgumentError } from "@commander-js/extra-typings";
import { eventTypes } from "@parley/sdk/testing";
import type { WebhookEventType } from "@parley/sdk/webhooks";

/**
 * Collects event types of a repeatable option. A value can contain several, separated by commas.
 *
 * @throws InvalidArgumentError
 */
export function eventTypeList(value: string, earlier: WebhookEventType[] = []): WebhookEventType[] {
  const types = value.split(",").filter(Boolean);
  return [...new Set([...earlier, ...types.map(eventType)])];
}

/**
 * Parses an event type.
 *
 * @throws InvalidArgumentError
 */
export function eventType(value: string): WebhookEventType {
  const found = eventTypes.find((type) => type === value);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Event types: ${eventTypes.join(", ")}.`);
}
