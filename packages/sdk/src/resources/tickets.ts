import type { CallOptions, PostOptions } from "../http/options.ts";
import { type List, listOf } from "../list.ts";
import { pathOf, type Session } from "../session.ts";
import type { Envelope, Query, Ticket, TicketCreate, TicketUpdate } from "../types.ts";

/** The support tickets of the organization. Scopes `tickets:read` and `tickets:write`. */
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

  /** Reads one. */
  get(id: string, options: CallOptions = {}): Promise<Envelope<"getTicket">> {
    const init = { params: { path: pathOf(id) }, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.GET("/api/v1/tickets/{id}", init));
  }

  /** Opens one. */
  create(body: TicketCreate, options: PostOptions = {}): Promise<Envelope<"createTicket">> {
    const init = { body, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.POST("/api/v1/tickets", init));
  }

  /** Changes what the body names. */
  update(id: string, body: TicketUpdate, options: CallOptions = {}): Promise<Envelope<"updateTicket">> {
    const init = { params: { path: pathOf(id) }, body, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.PATCH("/api/v1/tickets/{id}", init));
  }
}
