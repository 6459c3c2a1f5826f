import { events } from "@parley/contract/events";

/** Returns the sample record of an event type. */
export function sampleRecord(type: string): Record<string, unknown> {
  return events.find((event) => event.type === type)?.sample.data ?? {};
}
