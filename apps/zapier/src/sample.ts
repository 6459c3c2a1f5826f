import { events } from "@parley/contract/events";

/** A made-up record, as the event of this type carries it. */
export function sampleRecord(type: string): Record<string, unknown> {
  return events.find((event) => event.type === type)?.sample.data ?? {};
}
