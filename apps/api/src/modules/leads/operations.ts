import type { Database } from "@parley/database";
import { leadResource } from "@parley/resources";
import { callerOf } from "../../http/caller.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { MakeChange } from "../../http/make-change.ts";
import { deleteRecord } from "../../records/delete.ts";
import { listPage } from "../../records/list-page.ts";
import { findRecord } from "../../records/rows.ts";
import { createLead, updateLead } from "./service.ts";

export function leadOperations(
  db: Database,
  makeChange: MakeChange,
): Operations<"listLeads" | "createLead" | "getLead" | "updateLead" | "deleteLead"> {
  return {
    listLeads: (request) => listPage(db, "leads", request, (rows) => rows.map(leadResource)),

    createLead: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const lead = await createLead(change, request.body);
        reply.header("location", `/api/v1/leads/${lead.id}`);
        return item(leadResource(lead));
      }),

    async getLead(request) {
      return item(
        leadResource(await findRecord(db, "leads", callerOf(request).organizationId, request.params.id)),
      );
    },

    updateLead: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { row } = await updateLead(change, request.params.id, request.body);
        return item(leadResource(row));
      }),

    deleteLead: (request, reply) =>
      makeChange(request, reply, (change) => deleteRecord(change, "leads", request.params.id)),
  };
}
