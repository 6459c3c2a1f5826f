import type { EventType } from "@parley/contract";

/** An event in the form to which both what is expected and what arrived are brought. */
export interface DayEvent {
  type: EventType;
  /** The chatbot concerned, for example `chatbot/sales-bot`. */
  chatbot: string | null;
  /** Kind and the platform's own id of the record, for example `lead/lead-17`. */
  record: string;
  /** What the event says of the record, see `describe`. */
  content: string;
}

export type References = Record<string, string | null>;

/** The attributes whose values the platform knows beforehand: neither ids nor times at which something was written. */
const knowable = {
  lead: ["contact", "status", "score", "qualification", "source"],
  conversation: ["status", "channel", "visitor", "sentiment", "message_count"],
  message: ["role", "text", "sentiment"],
  ticket: ["subject", "description", "status", "priority", "requester"],
  meeting: ["title", "status", "starts_at", "ends_at", "timezone", "location", "attendees"],
  message_feedback: ["rating", "comment"],
  tool_run: ["tool", "status", "error", "duration_ms"],
  usage: ["metric", "period_start", "period_end", "allowance", "threshold_percent"],
};
export type Resource = keyof typeof knowable;

/** Everything of an event's record that can be known beforehand, as text: two events that differ have different texts. */
export function describe(
  resource: Resource,
  attributes: object,
  references: References,
  previous?: object,
): string {
  const known = knowable[resource];
  const content = pick(attributes, (name) => known.includes(name));
  const was = previous && pick(previous, () => true, known);
  return sorted({ ...content, ...references, ...(was && { previous: was }) });
}

/** Values that cannot be known are shown as `?`: that they changed can be. */
function pick(attributes: object, wanted: (name: string) => boolean, known?: string[]): object {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => wanted(name))
      .map(([name, value]) => [name, known && !known.includes(name) ? "?" : (value as unknown)]),
  );
}

/** JSON whose members stand in the order of their names: PostgreSQL keeps no other order of `qualification`. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
