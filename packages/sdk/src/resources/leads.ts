import type { CallOptions, PostOptions } from "../http/options.ts";
import { type List, listOf } from "../list.ts";
import { pathOf, type Session } from "../session.ts";
import type { Envelope, Lead, LeadCreate, LeadUpdate, Query } from "../types.ts";

/** The leads of the organization. Scopes `leads:read` and `leads:write`. */
export class Leads {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Lists them, newest change first (specification §4.4). */
  list(query: Query<"listLeads"> = {}, options: CallOptions = {}): List<Lead, Envelope<"listLeads">> {
    const init = this.#session.init(options);
    return listOf(query, (page) =>
      this.#session.result(
        this.#session.client.GET("/api/v1/leads", { params: { query: { ...query, ...page } }, ...init }),
      ),
    );
  }

  /** Reads one. */
  get(id: string, options: CallOptions = {}): Promise<Envelope<"getLead">> {
    const init = { params: { path: pathOf(id) }, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.GET("/api/v1/leads/{id}", init));
  }

  /** Creates one. */
  create(body: LeadCreate, options: PostOptions = {}): Promise<Envelope<"createLead">> {
    const init = { body, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.POST("/api/v1/leads", init));
  }

  /** Changes what the body names. */
  update(id: string, body: LeadUpdate, options: CallOptions = {}): Promise<Envelope<"updateLead">> {
    const init = { params: { path: pathOf(id) }, body, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.PATCH("/api/v1/leads/{id}", init));
  }
}
