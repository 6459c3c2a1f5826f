import { listRecords } from "@parley/database";
import type { Publisher } from "@parley/webhooks";
import { callerOf } from "../../http/caller.ts";
import { item, page } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { leadResource } from "./resource.ts";
import { createLead, findLead, updateLead } from "./service.ts";

export function leadOperations(
  publisher: Publisher,
): Operations<"listLeads" | "createLead" | "getLead" | "updateLead"> {
  return {
    async listLeads(request) {
      const { chatbot_id: chatbotId, status, since } = request.query;
      const { organizationId } = callerOf(request);
      const filter = { organizationId, chatbotId, status, since };
      const { rows, total } = await listRecords(publisher.db, "leads", filter, request.query);
      return page(rows.map(leadResource), { total, ...request.query });
    },

    async createLead(request, reply) {
      const lead = await createLead(publisher, callerOf(request).organizationId, request.body);
      reply.header("location", `/api/v1/leads/${lead.id}`);
      return item(leadResource(lead));
    },

    async getLead(request) {
      return item(
        leadResource(await findLead(publisher.db, callerOf(request).organizationId, request.params.id)),
      );
    },

    async updateLead(request) {
      const lead = await updateLead(
        publisher,
        callerOf(request).organizationId,
        request.params.id,
        request.body,
      );
      return item(leadResource(lead));
    },
  };
}
