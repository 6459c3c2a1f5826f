import type { Database } from "@parley/database";
import { ticketResource } from "@parley/resources";
import { callerOf } from "../../http/caller.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { MakeChange } from "../../http/make-change.ts";
import { deleteRecord } from "../../records/delete.ts";
import { listPage } from "../../records/list-page.ts";
import { findRecord, requireReference } from "../../records/rows.ts";
import { createTicket, updateTicket } from "./service.ts";

export function ticketOperations(
  db: Database,
  makeChange: MakeChange,
): Operations<"listTickets" | "createTicket" | "getTicket" | "updateTicket" | "deleteTicket"> {
  return {
    listTickets: (request) => listPage(db, "tickets", request, (rows) => rows.map(ticketResource)),

    createTicket: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const {
          chatbot_id: chatbotId,
          lead_id: leadId,
          conversation_id: conversationId,
          ...ticketBody
        } = request.body;
        await requireReference(change, "chatbots", chatbotId, "body/chatbot_id");
        await requireReference(change, "leads", leadId, "body/lead_id");
        await requireReference(change, "conversations", conversationId, "body/conversation_id");
        const ticket = await createTicket(change, ticketBody, { chatbotId, leadId, conversationId });
        reply.header("location", `/api/v1/tickets/${ticket.id}`);
        return item(ticketResource(ticket));
      }),

    async getTicket(request) {
      return item(
        ticketResource(await findRecord(db, "tickets", callerOf(request).organizationId, request.params.id)),
      );
    },

    updateTicket: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { row } = await updateTicket(change, request.params.id, request.body);
        return item(ticketResource(row));
      }),

    deleteTicket: (request, reply) =>
      makeChange(request, reply, (change) => deleteRecord(change, "tickets", request.params.id)),
  };
}
