import type { Schemas } from "@parley/contract";
import type { Conversation, Message } from "@parley/database";

/** Converts a row to the conversation of the API and its events. */
export function conversationResource(row: Conversation): Schemas["Conversation"] {
  return {
    id: row.id,
    type: "conversation",
    attributes: {
      chatbot_id: row.chatbotId,
      lead_id: row.leadId,
      status: row.status as Schemas["ConversationStatus"],
      channel: row.channel,
      visitor: { name: row.visitorName, email: row.visitorEmail },
      sentiment: row.sentiment as Schemas["Sentiment"] | null,
      message_count: row.messageCount,
      started_at: row.startedAt.toISOString(),
      ended_at: row.endedAt?.toISOString() ?? null,
      updated_at: row.updatedAt.toISOString(),
    },
  };
}

/** Converts a row to the message of the API and its events. */
export function messageResource(row: Message): Schemas["Message"] {
  return {
    id: row.id,
    type: "message",
    attributes: {
      conversation_id: row.conversationId,
      chatbot_id: row.chatbotId,
      role: row.role as Schemas["Message"]["attributes"]["role"],
      text: row.text,
      sentiment: row.sentiment as Schemas["Sentiment"] | null,
      created_at: row.createdAt.toISOString(),
    },
  };
}
