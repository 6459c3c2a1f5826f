import type { Schemas } from "@parley/contract";
import type { MessageFeedback } from "@parley/database";

/** Converts a row to the message feedback of the API and its events. */
export function feedbackResource(row: MessageFeedback): Schemas["MessageFeedback"] {
  return {
    id: row.id,
    type: "message_feedback",
    attributes: {
      message_id: row.messageId,
      conversation_id: row.conversationId,
      chatbot_id: row.chatbotId,
      rating: row.rating as Schemas["MessageFeedback"]["attributes"]["rating"],
      comment: row.comment,
      created_at: row.createdAt.toISOString(),
    },
  };
}
