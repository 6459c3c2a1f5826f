import { type Database, listRecords } from "@parley/database";
import { callerOf } from "../../http/caller.ts";
import { item, page } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { chatbotResource } from "./resource.ts";
import { findChatbot } from "./service.ts";

export function chatbotOperations(db: Database): Operations<"listChatbots" | "getChatbot"> {
  return {
    async listChatbots(request) {
      const { organizationId } = callerOf(request);
      const { rows, total } = await listRecords(
        db,
        "chatbots",
        { organizationId, ...request.query },
        request.query,
      );
      return page(rows.map(chatbotResource), { total, ...request.query });
    },

    async getChatbot(request) {
      return item(
        chatbotResource(await findChatbot(db, callerOf(request).organizationId, request.params.id)),
      );
    },
  };
}
