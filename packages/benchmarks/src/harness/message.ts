import { randomUUIDv7 } from "node:crypto";
import type { EventOf } from "@parley/contract";
import { events } from "@parley/contract/events";

type MessageReceived = EventOf<"conversation.message_received">;

const example = events.find(({ type }) => type === "conversation.message_received")
  ?.sample as unknown as MessageReceived;

/** Returns a new message of a conversation: that of the contract's example, with other ids. */
export function addedMessage(conversation_id: string): MessageReceived["data"] {
  const { attributes } = example.data;
  return { ...example.data, id: randomUUIDv7(), attributes: { ...attributes, conversation_id } };
}
