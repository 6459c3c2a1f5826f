import type { CallOptions } from "../http/options.ts";
import { type List, listOf } from "../list.ts";
import { pathOf, type Session } from "../session.ts";
import type { Chatbot, Envelope, Query } from "../types.ts";

/** The chatbots of the organization. */
export class Chatbots {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Lists them, newest change first (specification §4.3). */
  list(
    query: Query<"listChatbots"> = {},
    options: CallOptions = {},
  ): List<Chatbot, Envelope<"listChatbots">> {
    const init = this.#session.init(options);
    return listOf(query, (page) =>
      this.#session.result(
        this.#session.client.GET("/api/v1/chatbots", { params: { query: { ...query, ...page } }, ...init }),
      ),
    );
  }

  /** Reads one. */
  get(id: string, options: CallOptions = {}): Promise<Envelope<"getChatbot">> {
    const init = { params: { path: pathOf(id) }, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.GET("/api/v1/chatbots/{id}", init));
  }
}
