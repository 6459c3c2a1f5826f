import type { Schemas } from "@parley/contract";
import type { Ticket } from "@parley/database";

/** Converts a row to the ticket object of API responses and events. */
export function ticketResource(row: Ticket): Schemas["Ticket"] {
  return {
    id: row.id,
    type: "ticket",
    attributes: {
      subject: row.subject,
      description: row.description,
      status: row.status as Schemas["TicketStatus"],
      priority: row.priority as Schemas["TicketPriority"],
      chatbot_id: row.chatbotId,
      lead_id: row.leadId,
      conversation_id: row.conversationId,
      requester: { name: row.requesterName, email: row.requesterEmail },
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      resolved_at: row.resolvedAt?.toISOString() ?? null,
    },
  };
}
