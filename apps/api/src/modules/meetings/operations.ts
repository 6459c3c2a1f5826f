import { type Database, listRecords } from "@parley/database";
import { callerOf } from "../../http/caller.ts";
import { item, page } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { meetingResource } from "./resource.ts";
import { findMeeting } from "./service.ts";

export function meetingOperations(db: Database): Operations<"listMeetings" | "getMeeting"> {
  return {
    async listMeetings(request) {
      const { chatbot_id: chatbotId, status, since } = request.query;
      const { organizationId } = callerOf(request);
      const filter = { organizationId, chatbotId, status, since };
      const { rows, total } = await listRecords(db, "meetings", filter, request.query);
      return page(rows.map(meetingResource), { total, ...request.query });
    },

    async getMeeting(request) {
      return item(
        meetingResource(await findMeeting(db, callerOf(request).organizationId, request.params.id)),
      );
    },
  };
}
