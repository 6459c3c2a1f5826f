import type { Database } from "@parley/database";
import { chatbotResource } from "@parley/resources";
import { callerOf } from "../../http/caller.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { listPage } from "../../records/list-page.ts";
import { findRecord } from "../../records/rows.ts";

export function chatbotOperations(db: Database): Operations<"listChatbots" | "getChatbot"> {
  return {
    listChatbots: (request) => listPage(db, "chatbots", request, (rows) => rows.map(chatbotResource)),

    async getChatbot(request) {
      return item(
        chatbotResource(
          await findRecord(db, "chatbots", callerOf(request).organizationId, request.params.id),
        ),
      );
    },
  };
}
