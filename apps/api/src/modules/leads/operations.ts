import { type Database, listRecords } from "@parley/database";
import { callerOf } from "../../http/caller.ts";
import { item, page } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { MakeChange } from "../../http/make-change.ts";
import { leadResource } from "./resource.ts";
import { createLead, findLead, updateLead } from "./service.ts";

export function leadOperations(
  db: Database,
  makeChange: MakeChange,
): Operations<"listLeads" | "createLead" | "getLead" | "updateLead"> {
  return {
    async listLeads(request) {
      const { chatbot_id: chatbotId, status, since } = request.query;
      const { organizationId } = callerOf(request);
      const filter = { organizationId, chatbotId, status, since };
      const { rows, total } = await listRecords(db, "leads", filter, request.query);
      return page(rows.map(leadResource), { total, ...request.query });
    },

    createLead: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const lead = await createLead(change, request.body);
        reply.header("location", `/api/v1/leads/${lead.id}`);
        return item(leadResource(lead));
      }),

    async getLead(request) {
      return item(leadResource(await findLead(db, callerOf(request).organizationId, request.params.id)));
    },

    updateLead: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { row } = await updateLead(change, request.params.id, request.body);
        return item(leadResource(row));
      }),
  };
}
