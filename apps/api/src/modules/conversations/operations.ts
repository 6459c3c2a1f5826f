import type { Database } from "@parley/database";
import { conversationResource, messageResource } from "@parley/resources";
import { callerOf } from "../../http/caller.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import type { MakeChange } from "../../http/make-change.ts";
import { readPage } from "../../http/pages.ts";
import { deleteRecord } from "../../records/delete.ts";
import { listPage } from "../../records/list-page.ts";
import { findRecord, requireReference } from "../../records/rows.ts";
import { addMessage } from "./messages.ts";
import { listMessages, readConversation, readConversations } from "./read.ts";
import { startConversation, updateConversation } from "./service.ts";

type Names =
  | "listConversations"
  | "startConversation"
  | "getConversation"
  | "listMessages"
  | "addMessage"
  | "endConversation"
  | "deleteConversation";

export function conversationOperations(db: Database, makeChange: MakeChange): Operations<Names> {
  return {
    listConversations: (request) =>
      listPage(db, "conversations", request, (rows) => readConversations(db, rows, request.query.include)),

    startConversation: (request, reply) =>
      makeChange(request, reply, async (change) => {
        const { chatbot_id: chatbotId, lead_id: leadId, ...state } = request.body;
        await requireReference(change, "chatbots", chatbotId, "body/chatbot_id");
        await requireReference(change, "leads", leadId, "body/lead_id");
        const conversation = await startConversation(change, { chatbotId, leadId, ...state });
        reply.header("location", `/api/v1/conversations/${conversation.id}`);
        return item(conversationResource(conversation));
      }),

    async getConversation(request) {
      const { organizationId } = callerOf(request);
      const row = await findRecord(db, "conversations", organizationId, request.params.id);
      return item(await readConversation(db, row, request.query.include));
    },

    async listMessages(request) {
      const { organizationId } = callerOf(request);
      const conversation = await findRecord(db, "conversations", organizationId, request.params.id);
      return readPage(request, {
        read: (page) => listMessages(db, conversation, page),
        positionOf: ({ createdAt, id }) => ({ time: createdAt.toISOString(), id }),
        toResources: (rows) => rows.map(messageResource),
      });
    },

    addMessage: (request, reply) =>
      makeChange(request, reply, async (change) =>
        item(messageResource(await addMessage(change, request.params.id, request.body))),
      ),

    endConversation: (request, reply) =>
      makeChange(request, reply, async (change) =>
        item(
          conversationResource(
            (await updateConversation(change, request.params.id, { status: "ended" })).row,
          ),
        ),
      ),

    deleteConversation: (request, reply) =>
      makeChange(request, reply, (change) => deleteRecord(change, "conversations", request.params.id)),
  };
}
