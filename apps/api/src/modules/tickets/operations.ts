import { type Database, listRecords } from "@parley/database";
import { callerOf } from "../../http/caller.ts";
import { page } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { ticketResource } from "./resource.ts";

export function ticketOperations(db: Database): Operations<"listTickets"> {
  return {
    async listTickets(request) {
      const { chatbot_id: chatbotId, status, since } = request.query;
      const { organizationId } = callerOf(request);
      const filter = { organizationId, chatbotId, status, since };
      const { rows, total } = await listRecords(db, "tickets", filter, request.query);
      return page(rows.map(ticketResource), { total, ...request.query });
    },
  };
}
