import type { EventType } from "@parley/contract";
import type { ItemType, StoredRecord, Values } from "./item.ts";

/** Everything that was written, see `Model`. */
export interface Records {
  find(name: unknown): StoredRecord | undefined;
  publish(type: EventType, record: Pick<StoredRecord, "name" | "values">): void;
}

/** A new or changed record. */
interface Change {
  model: Records;
  record: StoredRecord;
  values: Values;
  /** Old values of changed attributes; undefined for a new record. */
  previous: Values | undefined;
  /** Returns whether an attribute has another value than before; always true for a new record. */
  changed: (attribute: string) => boolean;
  /** @param previous_attributes of the event, if it has any */
  publish: (type: string, previous_attributes?: Values) => void;
}

/** The rules of one kind of record that the contract states in words. The others are read from its schemas. */
interface Kind {
  /** Values of a new record, in addition to `emptyRecord`. */
  defaults?: Values;
  /** Reference to the record from which it takes the references that the platform does not write. */
  parent?: string;
  /** Attributes that never change. */
  fixed?: string[];
  /** Returns whether an item is refused, though it conforms to its schema. */
  refuses?(given: Values, old: Values | undefined, model: Records): boolean;
  /** Returns values that follow from the given ones, or the form in which they are stored. */
  derive?(given: Values, old: Values | undefined, model: Records): Values;
  publish?(change: Change): void;
}

const isoTime = (time: unknown) => new Date(String(time)).toISOString();
const month = (time: unknown) => isoTime(time).slice(0, 7);
const isEnded = (values: Values | undefined) => values?.["status"] === "ended";
/** Returns a symbol for a write time. It differs from every other one, and comparisons ignore it. */
const now = () => Symbol("now");

export const kinds: Record<ItemType, Kind> = {
  chatbot: { defaults: { description: "", status: "active", qualification_threshold: 70 } },
  lead: {
    defaults: { status: "new", score: 0, qualification: {} },
    fixed: ["chatbot_id"],
    /** A new lead whose score reaches the chatbot's threshold is a qualified one, unless its score is what it was. */
    derive({ chatbot_id, ...given }, old, model) {
      const score = given["score"] ?? (old ? undefined : 0);
      const threshold = model.find(chatbot_id)?.values["qualification_threshold"];
      const written = given["status"] ?? old?.["status"] ?? "new";
      const isRepeated = old?.["status"] === "new" && old["score"] === score;
      const qualifies =
        written === "new" && !isRepeated && score !== undefined && Number(score) >= Number(threshold);
      const status = qualifies ? "qualified" : written;
      const reached = `${status as string}_at`;
      const isMilestone = status === "qualified" || status === "converted";
      return { status, ...(isMilestone && !old?.[reached] && { [reached]: now() }) };
    },
    publish({ values, previous, changed, publish }) {
      if (!previous) publish("lead.created");
      else publish("lead.updated", previous);
      if (previous && "score" in previous) publish("lead.score_changed", { score: previous["score"] });
      for (const status of ["qualified", "converted"])
        if (values[`${status}_at`] && changed(`${status}_at`)) publish(`lead.${status}`);
    },
  },
  conversation: {
    defaults: { status: "open", channel: "web", message_count: 0 },
    fixed: ["chatbot_id"],
    refuses: ({ status }, old) => status === "open" && isEnded(old),
    publish({ model, record, values, previous, changed, publish }) {
      if (!previous)
        model.publish("conversation.started", { ...record, values: { ...values, status: "open" } });
      if (isEnded(values) && changed("status")) publish("conversation.ended");
    },
  },
  message: {
    parent: "conversation_id",
    fixed: ["conversation_id", "role", "text"],
    refuses: ({ conversation_id }, old, model) => !old && isEnded(model.find(conversation_id)?.values),
    /** A conversation has the sentiment of the visitor's latest message that has one. */
    publish({ model, record, values, previous, publish }) {
      const conversation = model.find(values["conversation_id"]);
      if (!conversation) return;
      if (!previous) conversation.values["message_count"] = Number(conversation.values["message_count"]) + 1;
      if (values["role"] !== "visitor") return;
      if (!previous) {
        conversation.visitorMessages.push(record);
        publish("conversation.message_received");
      }
      const sentiments = conversation.visitorMessages.map((message) => message.values["sentiment"]);
      const sentiment = sentiments.findLast((one) => one !== null) ?? null;
      if (sentiment === conversation.values["sentiment"]) return;
      conversation.values["sentiment"] = sentiment;
      if (sentiment === "negative" || sentiment === "positive")
        model.publish(`conversation.sentiment_${sentiment}`, conversation);
    },
  },
  ticket: {
    defaults: { description: "", status: "open", priority: "normal" },
    /** A ticket that is opened again can be resolved again. */
    derive({ status }, old) {
      if (status === undefined || status === old?.["status"] || status === "closed") return {};
      return { resolved_at: status === "resolved" ? now() : null };
    },
    publish({ values, previous, changed, publish }) {
      if (!previous) publish("ticket.created");
      else publish("ticket.updated", previous);
      if (changed("status") && values["status"] === "resolved") publish("ticket.resolved");
    },
  },
  meeting: {
    defaults: { status: "scheduled", attendees: [] },
    derive: ({ starts_at, ends_at, attendees }) => ({
      starts_at: isoTime(starts_at),
      ends_at: isoTime(ends_at),
      ...(attendees !== undefined && {
        attendees: (attendees as object[]).map((one) => ({ name: null, email: null, ...one })),
      }),
    }),
    /** A meeting at another time is scheduled again; only that event has the old values. */
    publish({ values, previous, changed, publish }) {
      const status = String(values["status"]);
      if (status === "scheduled" && ["status", "starts_at", "ends_at"].some(changed))
        publish("meeting.scheduled", previous);
      else if (changed("status")) publish(`meeting.${status}`);
    },
  },
  message_feedback: {
    parent: "message_id",
    fixed: ["message_id"],
    publish({ values, changed, publish }) {
      if (changed("rating")) publish(`message.feedback_${String(values["rating"])}`);
    },
  },
  tool_run: {
    fixed: ["chatbot_id", "conversation_id", "tool", "status", "error", "duration_ms"],
    publish: ({ values, publish }) => publish(`agent.tool_${String(values["status"])}`),
  },
  usage_record: {
    refuses: ({ occurred_at }, old) => !!old && month(old["occurred_at"]) !== month(occurred_at),
  },
};
