import type { EventType } from "@parley/contract";
import type { ItemType, Kept, Model } from "./model.ts";

type Values = Record<string, unknown>;
/** Old values of changed fields; undefined for a new record. */
type Previous = Values | undefined;

/** Rules of one kind of records, as the contract describes them. */
export interface Kind {
  /** Kinds of the records that an item refers to by `<kind>_external_id`. */
  references: ItemType[];
  /** References that it has in common with the record of the first kind. */
  inherits?: string[];
  /** Values of a new record where the item has none. */
  defaults: Values;
  /** An object of which an item may give some members. */
  merges?: string;
  /** Attributes and references that cannot change. */
  fixed: string[];
  /** Whether the item is refused for another reason. */
  refuses?(given: Values, record: Kept | undefined, references: Values, model: Model): boolean;
  /** Brings the given values to the form in which they are stored. */
  normalize?(given: Values, record: Kept | undefined, references: Values, model: Model): Values;
  /** Publishes the events of a new or changed record. */
  publish?(model: Model, record: Kept, previous: Previous): void;
}

const person = { name: null, email: null };
const isoTime = (time: unknown) => new Date(time as string).toISOString();
const month = (time: unknown) => isoTime(time).slice(0, 7);

export const kinds: Record<ItemType, Kind> = {
  chatbot: {
    references: [],
    defaults: { description: "", status: "active", qualification_threshold: 70 },
    fixed: [],
  },
  lead: {
    references: ["chatbot"],
    defaults: {
      contact: { ...person, phone: null, company: null },
      status: "new",
      score: 0,
      qualification: {},
      source: null,
    },
    merges: "contact",
    fixed: ["chatbot_id"],
    normalize: qualify,
    publish: publishLead,
  },
  conversation: {
    references: ["chatbot", "lead"],
    defaults: { status: "open", channel: "web", visitor: person, sentiment: null, message_count: 0 },
    merges: "visitor",
    fixed: ["chatbot_id"],
    refuses: ({ status }, record) => status === "open" && record?.attributes["status"] === "ended",
    publish(model, record, previous) {
      const { attributes } = record;
      if (!previous)
        model.publish("conversation.started", { ...record, attributes: { ...attributes, status: "open" } });
      if (attributes["status"] === "ended" && (!previous || "status" in previous))
        model.publish("conversation.ended", record);
    },
  },
  message: {
    references: ["conversation"],
    inherits: ["chatbot_id"],
    defaults: { sentiment: null },
    fixed: ["conversation_id", "role", "text"],
    refuses: (_given, record, { conversation_id }, model) =>
      !record && model.find(conversation_id as string)?.attributes["status"] === "ended",
    publish: publishMessage,
  },
  ticket: {
    references: ["chatbot", "lead", "conversation"],
    defaults: { description: "", status: "open", priority: "normal", requester: person },
    merges: "requester",
    fixed: [],
    publish: publishTicket,
  },
  meeting: {
    references: ["chatbot", "lead"],
    defaults: { status: "scheduled", location: null, attendees: [] },
    fixed: [],
    normalize: ({ starts_at, ends_at, attendees, ...given }) => ({
      ...given,
      starts_at: isoTime(starts_at),
      ends_at: isoTime(ends_at),
      attendees: (attendees as object[] | undefined)?.map((attendee) => ({ ...person, ...attendee })),
    }),
    publish: publishMeeting,
  },
  message_feedback: {
    references: ["message"],
    inherits: ["chatbot_id", "conversation_id"],
    defaults: { comment: null },
    fixed: ["message_id"],
    publish(model, record, previous) {
      if (!previous || "rating" in previous)
        model.publish(`message.feedback_${String(record.attributes["rating"])}` as EventType, record);
    },
  },
  tool_run: {
    references: ["chatbot", "conversation"],
    defaults: { error: null },
    fixed: ["chatbot_id", "conversation_id", "tool", "status", "error", "duration_ms"],
    publish: (model, record) =>
      model.publish(`agent.tool_${String(record.attributes["status"])}` as EventType, record),
  },
  usage_record: {
    references: [],
    defaults: {},
    fixed: [],
    refuses: ({ occurred_at }, record) =>
      record !== undefined && month(record.attributes["occurred_at"]) !== month(occurred_at),
  },
};

/** A new score at the chatbot's threshold or above makes a new lead a qualified one. */
function qualify(given: Values, record: Kept | undefined, { chatbot_id }: Values, model: Model): Values {
  const before = record?.attributes ?? { status: "new" };
  const score = given["score"] ?? (record ? undefined : 0);
  const threshold = model.find(chatbot_id as string)?.attributes["qualification_threshold"];
  const qualifies =
    score !== undefined &&
    score !== before["score"] &&
    Number(score) >= Number(threshold) &&
    before["status"] === "new" &&
    (given["status"] ?? "new") === "new";
  return qualifies ? { ...given, status: "qualified" } : given;
}

function publishLead(model: Model, record: Kept, previous: Previous): void {
  const { attributes, reached } = record;
  const milestones = ["qualified", "converted"].filter(
    (status) => attributes["status"] === status && !reached.has(status),
  );
  for (const milestone of milestones) reached.add(milestone);
  if (!previous) model.publish("lead.created", record);
  else {
    const dates = milestones.map((milestone) => [`${milestone}_at`, null]);
    model.publish("lead.updated", record, { ...previous, ...Object.fromEntries(dates) });
    if ("score" in previous) model.publish("lead.score_changed", record, { score: previous["score"] });
  }
  for (const milestone of milestones) model.publish(`lead.${milestone}` as EventType, record);
}

/** The sentiment of a conversation is that of the visitor's latest rated message. */
function publishMessage(model: Model, record: Kept, previous: Previous): void {
  const conversation = model.find(record.references["conversation_id"]);
  if (!conversation) return;
  const { attributes, said } = conversation;
  if (!previous) attributes["message_count"] = Number(attributes["message_count"]) + 1;
  if (record.attributes["role"] !== "visitor") return;
  if (!previous) {
    said.push(record);
    model.publish("conversation.message_received", record);
  }
  const sentiment = said.map((one) => one.attributes["sentiment"]).findLast((one) => one !== null) ?? null;
  const changed = sentiment !== attributes["sentiment"];
  attributes["sentiment"] = sentiment;
  if (changed && (sentiment === "negative" || sentiment === "positive"))
    model.publish(`conversation.sentiment_${sentiment}`, conversation);
}

/** A reopened ticket can be resolved again. */
function publishTicket(model: Model, record: Kept, previous: Previous): void {
  const { attributes, reached } = record;
  const status = !previous || "status" in previous ? String(attributes["status"]) : "";
  const resolved = status === "resolved";
  const reopened = status === "open" || status === "pending";
  const dated = resolved || (reopened && reached.has("resolved"));
  if (resolved) reached.add("resolved");
  if (reopened) reached.delete("resolved");
  if (!previous) model.publish("ticket.created", record);
  else model.publish("ticket.updated", record, { ...previous, ...(dated && { resolved_at: null }) });
  if (resolved) model.publish("ticket.resolved", record);
}

/** A meeting that will take place at another time is scheduled again; only that event has the old values. */
function publishMeeting(model: Model, record: Kept, previous: Previous): void {
  const status = String(record.attributes["status"]);
  const changes = (name: string) => !previous || name in previous;
  if (status === "scheduled" && ["status", "starts_at", "ends_at"].some(changes))
    model.publish("meeting.scheduled", record, previous);
  else if (changes("status")) model.publish(`meeting.${status}` as EventType, record);
}
