import { apiVersion, type EventOf, type EventType } from "@parley/contract";

type Previous<Type extends EventType> = "previous_attributes" extends keyof EventOf<Type>
  ? Pick<EventOf<Type>, "previous_attributes">
  : object;

/** Something that happened, as the code that caused it tells it. */
export type NewEvent = {
  [Type in EventType]: {
    type: Type;
    /** The chatbot concerned; null when none is. */
    chatbotId: string | null;
    /** The resource exactly as the API returns it. */
    data: EventOf<Type>["data"];
  } & Previous<Type>;
}[EventType];

/** Returns the members that every event begins with. */
export function envelope(id: string, type: EventType, createdAt: Date) {
  return { id, type, api_version: apiVersion, created_at: createdAt.toISOString() };
}

/** Returns the body of the event's webhooks. It is made once: every delivery signs and sends this text. */
export function eventBody(id: string, event: NewEvent, createdAt: Date): string {
  return JSON.stringify({
    ...envelope(id, event.type, createdAt),
    chatbot_id: event.chatbotId,
    data: event.data,
    ...("previous_attributes" in event && { previous_attributes: event.previous_attributes }),
  });
}
