import type { CallOptions, PostOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type {
  Conversation,
  ConversationCreate,
  ConversationList,
  ConversationResponse,
  Message,
  MessageCreate,
  MessageList,
  MessageResponse,
  Query,
} from "../types.ts";
import { Resource } from "./resource.ts";

/** What visitors and chatbots say to each other. Scopes `conversations:read` and `conversations:write`. */
export class Conversations extends Resource {
  /**
   * Lists them, newest change first.
   *
   * @example
   * const { data: conversations } = await parley.conversations.list({ status: "open" });
   */
  list(query?: Query<"listConversations">, options?: CallOptions): List<Conversation, ConversationList> {
    return this.session.list("/api/v1/conversations", { query }, options);
  }

  /**
   * Reads one, without its messages.
   *
   * @example
   * const { data: conversation } = await parley.conversations.get(conversationId);
   */
  get(id: string, options?: CallOptions): Promise<ConversationResponse> {
    return this.session.call("get", "/api/v1/conversations/{id}", { path: { id } }, options);
  }

  /**
   * Starts one.
   *
   * @example
   * const { data: conversation } = await parley.conversations.start({ chatbot_id: chatbotId });
   */
  start(body: ConversationCreate, options?: PostOptions): Promise<ConversationResponse> {
    return this.session.call("post", "/api/v1/conversations", { body }, options);
  }

  /**
   * Ends one. Ending it again changes nothing.
   *
   * @example
   * const { data: conversation } = await parley.conversations.end(conversationId);
   */
  end(id: string, options?: PostOptions): Promise<ConversationResponse> {
    return this.session.call("post", "/api/v1/conversations/{id}/end", { path: { id } }, options);
  }

  /**
   * Lists the messages of one, oldest first.
   *
   * @example
   * for await (const { attributes } of parley.conversations.messages(conversationId)) console.log(attributes.text);
   */
  messages(id: string, query?: Query<"listMessages">, options?: CallOptions): List<Message, MessageList> {
    return this.session.list("/api/v1/conversations/{id}/messages", { path: { id }, query }, options);
  }

  /**
   * Adds a message to one that has not ended.
   *
   * @example
   * const { data: message } = await parley.conversations.addMessage(conversationId, { role: "visitor", text: "Hello" });
   */
  addMessage(id: string, body: MessageCreate, options?: PostOptions): Promise<MessageResponse> {
    return this.session.call("post", "/api/v1/conversations/{id}/messages", { path: { id }, body }, options);
  }
}
