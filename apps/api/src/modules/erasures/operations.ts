import type { Schemas } from "@parley/contract";
import { type Database, type Erasure, isUuid } from "@parley/database";
import { completeReport, type Report, requestErasure, type Subject } from "@parley/erasure";
import { notFound } from "../../http/api-error.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { requireOrganization } from "../platform/write.ts";

/** Returns the operations of the Platform API that erase a person. */
export function erasureOperations(db: Database): Operations<"createErasure" | "getErasure"> {
  return {
    async createErasure(request) {
      const organizationId = await requireOrganization(db, request.params.organization_id);
      const subject = request.body as Subject; // The contract requires exactly one member.
      const by = { address: request.ip };
      const erasure = await db.$transaction((tx) => requestErasure(tx, organizationId, subject, by));
      return item(erasureResource(erasure));
    },

    async getErasure(request) {
      const organizationId = await requireOrganization(db, request.params.organization_id);
      const id = request.params.erasure_id;
      const erasure = isUuid(id) ? await db.erasure.findUnique({ where: { id, organizationId } }) : null;
      if (!erasure) throw notFound("erasure");
      return item(erasureResource(erasure));
    },
  };
}

function erasureResource({ id, status, createdAt, completedAt, report }: Erasure): Schemas["Erasure"] {
  return {
    id,
    status: status as Schemas["ErasureStatus"],
    created_at: createdAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
    report: completeReport(report as Partial<Report>),
  };
}
