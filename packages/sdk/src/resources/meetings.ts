import type { CallOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type { Meeting, MeetingList, MeetingResponse, Query } from "../types.ts";
import { Resource } from "./resource.ts";

/** The meetings of the organization. Scope `meetings:read`. */
export class Meetings extends Resource {
  /**
   * Lists them, newest change first (specification §4.4).
   *
   * @example
   * const { data: meetings, meta } = await parley.meetings.list({ status: "scheduled", limit: 10 });
   */
  list(query?: Query<"listMeetings">, options?: CallOptions): List<Meeting, MeetingList> {
    return this.session.list("/api/v1/meetings", { query }, options);
  }

  /**
   * Reads one.
   *
   * @example
   * const { data: meeting } = await parley.meetings.get(meetingId);
   */
  get(id: string, options?: CallOptions): Promise<MeetingResponse> {
    return this.session.call("get", "/api/v1/meetings/{id}", { path: { id } }, options);
  }
}
