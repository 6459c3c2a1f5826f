import type { CallOptions, PostOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type { Query, Ticket, TicketCreate, TicketList, TicketResponse, TicketUpdate } from "../types.ts";
import { Resource } from "./resource.ts";

/** The support tickets of the organization. Scopes `tickets:read` and `tickets:write`. */
export class Tickets extends Resource {
  /**
   * Lists them, newest change first (specification §4.4).
   *
   * @example
   * for await (const ticket of parley.tickets.list({ status: "open" })) console.log(ticket.attributes.subject);
   */
  list(query?: Query<"listTickets">, options?: CallOptions): List<Ticket, TicketList> {
    return this.session.list("/api/v1/tickets", { query }, options);
  }

  /**
   * Reads one.
   *
   * @example
   * const { data: ticket } = await parley.tickets.get(ticketId);
   */
  get(id: string, options?: CallOptions): Promise<TicketResponse> {
    return this.session.call("get", "/api/v1/tickets/{id}", { path: { id } }, options);
  }

  /**
   * Opens one.
   *
   * @example
   * const { data: ticket } = await parley.tickets.create({ subject: "Where is my invoice?" }, { idempotencyKey: "mail-4711" });
   */
  create(body: TicketCreate, options?: PostOptions): Promise<TicketResponse> {
    return this.session.call("post", "/api/v1/tickets", { body }, options);
  }

  /**
   * Changes what the body names.
   *
   * @example
   * const { data: ticket } = await parley.tickets.update(ticketId, { status: "resolved" });
   */
  update(id: string, body: TicketUpdate, options?: CallOptions): Promise<TicketResponse> {
    return this.session.call("patch", "/api/v1/tickets/{id}", { path: { id }, body }, options);
  }
}
