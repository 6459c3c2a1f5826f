import { apiVersion, type OperationId } from "@parley/contract";
import type { Database } from "@parley/database";
import type { Publisher, SecretBox } from "@parley/webhooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operations } from "../../http/handlers.ts";
import { writeBatch } from "./batch.ts";
import { type Attributes, type ItemType, writeItem } from "./items.ts";
import { createWriteOnce, requireOrganization } from "./write.ts";

type Names = Extract<OperationId, `upsert${string}`> | "writeBatch";
type Upsert<Type extends ItemType> = FastifyRequest<{
  Params: { organization_id: string; external_id: string };
  Body: Attributes<Type>;
}>;

/** The door of the chatbot platform: what happens with visitors comes in here. */
export function platformOperations(
  db: Database,
  publisher: Publisher,
  secretBox: SecretBox,
): Operations<Names> {
  const writeOnce = createWriteOnce(publisher, secretBox);

  function upsert<Type extends ItemType>(type: Type) {
    return async (request: Upsert<Type>, reply: FastifyReply) => {
      const { external_id: externalId } = request.params;
      const organizationId = await requireOrganization(db, request.params.organization_id);
      const { method, url } = request;
      const body = request.body as unknown as Attributes<Type>;
      const key = keyOf(request);
      const wanted = key === undefined ? undefined : { key, request: [method, url, body] };
      const { answer, replayed } = await writeOnce(organizationId, wanted, (change) =>
        writeItem(change, type, externalId, body),
      );
      if (replayed) reply.header("idempotent-replayed", "true");
      return { data: answer.resource, meta: { api_version: apiVersion, result: answer.result } };
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
      return writeBatch(writeOnce, organizationId, request.body.items, keyOf(request), request.log);
    },
  };
}

/** A space sets it apart from the keys of the organization's own requests, which hold none. */
function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers["idempotency-key"];
  return typeof key === "string" ? `platform ${key}` : undefined;
}
