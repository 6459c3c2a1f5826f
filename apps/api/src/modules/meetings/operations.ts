import { type Database, listRecords } from "@parley/database";
import { callerOf } from "../../http/caller.ts";
import { page } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { meetingResource } from "./resource.ts";

export function meetingOperations(db: Database): Operations<"listMeetings"> {
  return {
    async listMeetings(request) {
      const { chatbot_id: chatbotId, status, since } = request.query;
      const { organizationId } = callerOf(request);
      const filter = { organizationId, chatbotId, status, since };
      const { rows, total } = await listRecords(db, "meetings", filter, request.query);
      return page(rows.map(meetingResource), { total, ...request.query });
    },
  };
}
