import type { CallOptions } from "../http/options.ts";
import { type List, listOf } from "../list.ts";
import { pathOf, type Session } from "../session.ts";
import type { Envelope, Meeting, Query } from "../types.ts";

/** The meetings of the organization. Scope `meetings:read`. */
export class Meetings {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Lists them, newest change first (specification §4.4). */
  list(
    query: Query<"listMeetings"> = {},
    options: CallOptions = {},
  ): List<Meeting, Envelope<"listMeetings">> {
    const init = this.#session.init(options);
    return listOf(query, (page) =>
      this.#session.result(
        this.#session.client.GET("/api/v1/meetings", { params: { query: { ...query, ...page } }, ...init }),
      ),
    );
  }

  /** Reads one. */
  get(id: string, options: CallOptions = {}): Promise<Envelope<"getMeeting">> {
    const init = { params: { path: pathOf(id) }, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.GET("/api/v1/meetings/{id}", init));
  }
}
