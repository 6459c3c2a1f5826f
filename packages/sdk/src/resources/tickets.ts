import type { Call } from "../call.ts";
import type { CallOptions, PostOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type {
  DeletedRecordResponse,
  Query,
  Ticket,
  TicketCreate,
  TicketList,
  TicketResponse,
  TicketUpdate,
} from "../types.ts";
import { Resource } from "./resource.ts";

/** Support tickets of the organization. Scopes: `tickets:read` and `tickets:write`. */
export class Tickets extends Resource {
  /**
   * Lists support tickets, most recently updated first.
   *
   * @param query - `limit` (1 to 100, default 20), `sort` (default `-updated_at`) and filters
   *
   * @example
   * for await (const ticket of parley.tickets.list({ status: "open" })) console.log(ticket.attributes.subject);
   */
  list(query?: Query<"listTickets">, options?: CallOptions): List<Ticket, TicketList> {
    return this.session.list("/api/v1/tickets", { query }, options);
  }

  /**
   * Retrieves a support ticket by ID.
   *
   * @param id - ID of the ticket
   * @throws {@link NotFoundError} if the organization has no such ticket
   *
   * @example
   * const { data: ticket } = await parley.tickets.get(ticketId);
   */
  get(id: string, options?: CallOptions): Call<TicketResponse> {
    return this.session.call("get", "/api/v1/tickets/{id}", { path: { id } }, options);
  }

  /**
   * Creates a support ticket. Publishes `ticket.created`.
   *
   * @throws {@link InvalidRequestError} if a field is invalid
   *
   * @example
   * const { data: ticket } = await parley.tickets.create({ subject: "Where is my invoice?" }, { idempotencyKey: "mail-4711" });
   */
  create(body: TicketCreate, options?: PostOptions): Call<TicketResponse> {
    return this.session.call("post", "/api/v1/tickets", { body }, options);
  }

  /**
   * Updates the given fields of a support ticket. Fields that you leave out keep their values.
   *
   * @param id - ID of the ticket
   * @throws {@link InvalidRequestError} if a field is invalid
   * @throws {@link NotFoundError} if the organization has no such ticket
   *
   * @example
   * const { data: ticket } = await parley.tickets.update(ticketId, { status: "resolved" });
   */
  update(id: string, body: TicketUpdate, options?: CallOptions): Call<TicketResponse> {
    return this.session.call("patch", "/api/v1/tickets/{id}", { path: { id }, body }, options);
  }

  /**
   * Deletes a support ticket. Publishes no event.
   *
   * @param id - ID of the ticket
   * @throws {@link NotFoundError} if the organization has no such ticket. After a retry, an earlier attempt may have deleted it
   *
   * @example
   * await parley.tickets.delete(ticketId);
   */
  delete(id: string, options?: CallOptions): Call<DeletedRecordResponse> {
    return this.session.call("delete", "/api/v1/tickets/{id}", { path: { id } }, options);
  }
}
