import type { CallOptions, PostOptions } from "../http/options.ts";
import { type List, listOf } from "../list.ts";
import { pathOf, type Session } from "../session.ts";
import type { Conversation, ConversationCreate, Envelope, Message, MessageCreate, Query } from "../types.ts";

/** What visitors and chatbots say to each other. Scopes `conversations:read` and `conversations:write`. */
export class Conversations {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Lists them, newest change first. */
  list(
    query: Query<"listConversations"> = {},
    options: CallOptions = {},
  ): List<Conversation, Envelope<"listConversations">> {
    const init = this.#session.init(options);
    return listOf(query, (page) =>
      this.#session.result(
        this.#session.client.GET("/api/v1/conversations", {
          params: { query: { ...query, ...page } },
          ...init,
        }),
      ),
    );
  }

  /** Reads one, without its messages. */
  get(id: string, options: CallOptions = {}): Promise<Envelope<"getConversation">> {
    const init = { params: { path: pathOf(id) }, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.GET("/api/v1/conversations/{id}", init));
  }

  /** Starts one. */
  start(body: ConversationCreate, options: PostOptions = {}): Promise<Envelope<"startConversation">> {
    const init = { body, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.POST("/api/v1/conversations", init));
  }

  /** Ends one. Ending it again changes nothing. */
  end(id: string, options: PostOptions = {}): Promise<Envelope<"endConversation">> {
    const init = { params: { path: pathOf(id) }, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.POST("/api/v1/conversations/{id}/end", init));
  }

  /**
   * Lists the messages of one, oldest first.
   *
   * @example
   * for await (const { attributes } of parley.conversations.messages(id)) console.log(attributes.text);
   */
  messages(
    id: string,
    query: Query<"listMessages"> = {},
    options: CallOptions = {},
  ): List<Message, Envelope<"listMessages">> {
    const path = pathOf(id);
    const init = this.#session.init(options);
    return listOf(query, (page) =>
      this.#session.result(
        this.#session.client.GET("/api/v1/conversations/{id}/messages", {
          params: { path, query: { ...query, ...page } },
          ...init,
        }),
      ),
    );
  }

  /** Adds a message to one that has not ended. */
  addMessage(id: string, body: MessageCreate, options: PostOptions = {}): Promise<Envelope<"addMessage">> {
    const init = { params: { path: pathOf(id) }, body, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.POST("/api/v1/conversations/{id}/messages", init));
  }
}
