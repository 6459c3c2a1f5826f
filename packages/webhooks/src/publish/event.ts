import { apiVersion, type EventOf, type EventType } from "@parley/contract";

type Previous<Type extends EventType> = "previous_attributes" extends keyof EventOf<Type>
  ? Pick<EventOf<Type>, "previous_attributes">
  : object;

/** Event to publish. */
export type NewEvent = {
  [Type in EventType]: {
    type: Type;
    /** ID of the event's chatbot; null if the event has no chatbot. */
    chatbotId: string | null;
    /** The resource, exactly as the API returns it. */
    data: EventOf<Type>["data"];
    /** Time of the event, read after the record was locked. Default: the time of the change that `data` contains. */
    at?: Date;
  } & Previous<Type>;
}[EventType];

/** Returns the ID of the record that an event belongs to. Messages and feedback belong to their conversation. */
export function recordOf({ type, data }: Pick<NewEvent, "type" | "data">): string {
  const inConversation = type === "conversation.message_received" || type.startsWith("message.");
  return inConversation && "conversation_id" in data.attributes
    ? (data.attributes.conversation_id ?? data.id)
    : data.id;
}

/**
 * Returns the time of an event. The time of a change is read after its record was locked, so the events of a record are in the order of its
 * changes, also if a change began before another one and waited for it.
 *
 * @param start of the change; no event is earlier, so that readers of the feed miss none
 */
export function timeOf({ at, data: { attributes } }: Pick<NewEvent, "at" | "data">, start: Date): Date {
  if (at) return at;
  const times = { created_at: "", updated_at: "", ...attributes };
  const changed = Date.parse(times.updated_at || times.created_at);
  return changed > start.getTime() ? new Date(changed) : start;
}

/** Returns the members that all events have. */
export function envelope(id: string, type: EventType, createdAt: Date) {
  return { id, type, api_version: apiVersion, created_at: createdAt.toISOString() };
}

/** Returns the request body of an event's deliveries. It is created once, and every delivery signs and sends the same text. */
export function eventBody(id: string, event: NewEvent, createdAt: Date): string {
  return JSON.stringify({
    ...envelope(id, event.type, createdAt),
    chatbot_id: event.chatbotId,
    data: event.data,
    ...("previous_attributes" in event && { previous_attributes: event.previous_attributes }),
  });
}
