import { apiVersion, type OperationId } from "@parley/contract";
import type { Database } from "@parley/database";
import type { Publisher } from "@parley/webhooks";
import type { Operations } from "../../http/handlers.ts";
import { writeBatch } from "./batch.ts";
import { type Attributes, type ItemType, writeItem } from "./items.ts";
import { requireOrganization, writeRecords } from "./write.ts";

type Names = Extract<OperationId, `upsert${string}`> | "writeBatch";
interface UpsertRequest<Type extends ItemType> {
  params: { organization_id: string; external_id: string };
  body: Attributes<Type>;
}

/** Operations of the Platform API: the chatbot platform writes here what happens with visitors. */
export function platformOperations(db: Database, publisher: Publisher): Operations<Names> {
  function upsert<Type extends ItemType>(type: Type) {
    return async ({ params, body }: UpsertRequest<Type>) => {
      const organizationId = await requireOrganization(db, params.organization_id);
      const { resource, result } = await writeRecords(publisher, organizationId, (change) =>
        writeItem(change, type, params.external_id, body),
      );
      return { data: resource, meta: { api_version: apiVersion, result } };
    };
  }

  return {
    upsertChatbot: upsert("chatbot"),
    upsertLead: upsert("lead"),
    upsertConversation: upsert("conversation"),
    upsertMessage: upsert("message"),
    upsertTicket: upsert("ticket"),
    upsertMeeting: upsert("meeting"),
    upsertMessageFeedback: upsert("message_feedback"),
    upsertToolRun: upsert("tool_run"),
    upsertUsageRecord: upsert("usage_record"),

    async writeBatch(request) {
      const organizationId = await requireOrganization(db, request.params.organization_id);
      return writeBatch(publisher, organizationId, request.body.items, request.log);
    },
  };
}
