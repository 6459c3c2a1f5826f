import type { EventType } from "@parley/contract";

/** An event that the model expects. */
export interface ExpectedEvent {
  type: EventType;
  /** Name of the chatbot concerned, for example `chatbot/sales-bot`. */
  chatbot: string | null;
  text: string;
}

/** An event that a subscription received. */
export interface ReceivedEvent {
  id: string;
  type: EventType;
  text: string;
}

/** The part of a webhook's body that is compared. */
export interface EventBody {
  type: EventType;
  chatbot_id: string | null;
  data: { id: string; attributes: Record<string, unknown> };
  previous_attributes?: Record<string, unknown> | undefined;
}

/** Times of writing, and a sum that depends on the order of concurrent requests. */
const unpredictable = /^(?!starts_at$|ends_at$)(.+_at|used)$/;

/** Returns the predictable part of an event as text. Different events have different texts. */
export function eventText({ type, chatbot_id, data, previous_attributes: previous }: EventBody): string {
  const { id, attributes } = data;
  // The platform does not know the ID of a month's usage.
  const record = "period_start" in attributes ? `usage/${String(attributes["period_start"])}` : id;
  const known = Object.entries(attributes).filter(([name]) => !unpredictable.test(name));
  const before = Object.entries(previous ?? {}).map(([name, value]) => [
    name,
    unpredictable.test(name) ? "?" : value, // Only the fact that it changed is predictable.
  ]);
  const content = { ...Object.fromEntries(known), ...(previous && { previous: Object.fromEntries(before) }) };
  return `${type} of ${record} (${chatbot_id ?? "no chatbot"}): ${sortedJson(content)}`;
}

/** PostgreSQL keeps no order of the members of `qualification`. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces Parley's ids with the names of the records. An id that the platform never received stays. */
export function withNames(text: string, names: Map<string, string>): string {
  return text.replace(uuid, (id) => names.get(id) ?? id);
}

/** Expected and received events of one type. */
export interface Count {
  expected: number;
  received: number;
  /** Repetitions of events that had already arrived. */
  duplicates: number;
  missing: number;
  unexpected: number;
}

export interface Comparison {
  types: Map<EventType, Count>;
  /** Descriptions of the differences; empty if the subscription received exactly the expected events. */
  differences: string[];
}

/** Compares as multisets: each expected event matches one received event with the same text. */
export function compareEvents(expected: ExpectedEvent[], received: ReceivedEvent[]): Comparison {
  const types = new Map<EventType, Count>();
  const differences: string[] = [];
  function count(type: EventType, column: keyof Count): void {
    const counts = types.get(type) ?? { expected: 0, received: 0, duplicates: 0, missing: 0, unexpected: 0 };
    counts[column] += 1;
    types.set(type, counts);
  }

  const missing = new Map<string, number>();
  for (const { type, text } of expected) {
    count(type, "expected");
    missing.set(text, (missing.get(text) ?? 0) + 1);
  }
  const seen = new Set<string>();
  for (const { id, type, text } of received) {
    count(type, "received");
    const left = missing.get(text) ?? 0;
    if (seen.has(id)) {
      count(type, "duplicates");
      differences.push(`received again: ${text}`);
    } else if (left === 0) {
      count(type, "unexpected");
      differences.push(`not expected: ${text}`);
    } else missing.set(text, left - 1);
    seen.add(id);
  }
  for (const { type, text } of expected) {
    const left = missing.get(text) ?? 0;
    if (left === 0) continue;
    missing.set(text, left - 1);
    count(type, "missing");
    differences.push(`missing: ${text}`);
  }
  return { types, differences };
}
