import { apiVersion, type OperationId } from "@parley/contract";
import type { Database } from "@parley/database";
import type { Change, Publisher } from "@parley/webhooks";
import type { Operations } from "../../http/handlers.ts";
import { type Deletable, deleteByExternalId } from "../../records/delete.ts";
import { writeBatch } from "./batch.ts";
import { type WriteResult, writers } from "./items.ts";
import { requireOrganization, writeRecords } from "./write.ts";

type Names = Extract<OperationId, `upsert${string}` | `deletePlatform${string}`> | "writeBatch";
interface UpsertRequest<Attributes> {
  params: { organization_id: string; external_id: string };
  body: Attributes;
}

/** Returns the operations of the Platform API, which the chatbot platform uses to write and delete records. */
export function platformOperations(db: Database, publisher: Publisher): Operations<Names> {
  function upsert<Attributes, Resource>(
    write: (change: Change, externalId: string, attributes: Attributes) => Promise<WriteResult<Resource>>,
  ) {
    return async ({ params, body }: UpsertRequest<Attributes>) => {
      const organizationId = await requireOrganization(db, params.organization_id);
      const { resource, result } = await writeRecords(publisher, organizationId, (change) =>
        write(change, params.external_id, body),
      );
      return { data: resource, meta: { api_version: apiVersion, result } };
    };
  }

  function remove(table: Deletable) {
    return async ({ params }: Pick<UpsertRequest<never>, "params">) => {
      const organizationId = await requireOrganization(db, params.organization_id);
      return publisher.change(organizationId, (change) =>
        deleteByExternalId(change, table, params.external_id),
      );
    };
  }

  return {
    upsertChatbot: upsert(writers.chatbot),
    upsertLead: upsert(writers.lead),
    upsertConversation: upsert(writers.conversation),
    upsertMessage: upsert(writers.message),
    upsertTicket: upsert(writers.ticket),
    upsertMeeting: upsert(writers.meeting),
    upsertMessageFeedback: upsert(writers.message_feedback),
    upsertToolRun: upsert(writers.tool_run),
    upsertUsageRecord: upsert(writers.usage_record),

    deletePlatformLead: remove("leads"),
    deletePlatformConversation: remove("conversations"),
    deletePlatformTicket: remove("tickets"),
    deletePlatformMeeting: remove("meetings"),

    async writeBatch(request) {
      const organizationId = await requireOrganization(db, request.params.organization_id);
      return writeBatch(publisher, organizationId, request.body.items, request.log);
    },
  };
}
