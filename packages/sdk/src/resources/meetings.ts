import type { Call } from "../call.ts";
import type { CallOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type { Meeting, MeetingList, MeetingResponse, Query } from "../types.ts";
import { Resource } from "./resource.ts";

/** Meetings of the organization. Scope: `meetings:read`. */
export class Meetings extends Resource {
  /**
   * Lists meetings, most recently updated first.
   *
   * @param query - `limit` (1 to 100, default 20), `sort` (default `-updated_at`) and filters
   *
   * @example
   * const { data: meetings, meta } = await parley.meetings.list({ status: "scheduled", limit: 10 });
   */
  list(query?: Query<"listMeetings">, options?: CallOptions): List<Meeting, MeetingList> {
    return this.session.list("/api/v1/meetings", { query }, options);
  }

  /**
   * Retrieves a meeting by ID.
   *
   * @param id - ID of the meeting
   * @throws {@link NotFoundError} if the organization has no such meeting
   *
   * @example
   * const { data: meeting } = await parley.meetings.get(meetingId);
   */
  get(id: string, options?: CallOptions): Call<MeetingResponse> {
    return this.session.call("get", "/api/v1/meetings/{id}", { path: { id } }, options);
  }
}
