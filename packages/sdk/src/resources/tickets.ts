import type { CallOptions } from "../http/options.ts";
import { type List, listOf } from "../list.ts";
import type { Session } from "../session.ts";
import type { Envelope, Query, Ticket } from "../types.ts";

/** The support tickets of the organization. Scope `tickets:read`. */
export class Tickets {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Lists them, newest change first (specification §4.4). */
  list(query: Query<"listTickets"> = {}, options: CallOptions = {}): List<Ticket, Envelope<"listTickets">> {
    const init = this.#session.init(options);
    return listOf(query, (page) =>
      this.#session.result(
        this.#session.client.GET("/api/v1/tickets", { params: { query: { ...query, ...page } }, ...init }),
      ),
    );
  }
}
