import type { Schemas } from "@parley/contract";
import type { MessageFeedback } from "@parley/database";

/** Feedback on a message as the API and its events show it. */
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
