import type { Database } from "@parley/database";
import { meetingResource } from "@parley/resources";
import { callerOf } from "../../http/caller.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { listPage } from "../../records/list-page.ts";
import { findRecord } from "../../records/rows.ts";

export function meetingOperations(db: Database): Operations<"listMeetings" | "getMeeting"> {
  return {
    listMeetings: (request) => listPage(db, "meetings", request, (rows) => rows.map(meetingResource)),

    async getMeeting(request) {
      return item(
        meetingResource(
          await findRecord(db, "meetings", callerOf(request).organizationId, request.params.id),
        ),
      );
    },
  };
}
