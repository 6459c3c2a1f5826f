import type { Call } from "../call.ts";
import type { CallOptions, PostOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type {
  Conversation,
  ConversationCreate,
  ConversationList,
  ConversationResponse,
  DeletedRecordResponse,
  Message,
  MessageCreate,
  MessageList,
  MessageResponse,
  Query,
} from "../types.ts";
import { Resource } from "./resource.ts";

/** Conversations between visitors and chatbots. Scopes: `conversations:read` and `conversations:write`. */
export class Conversations extends Resource {
  /**
   * Lists conversations, most recently updated first.
   *
   * @param query - `limit` (1 to 100, default 20), `sort` (default `-updated_at`) and filters
   *
   * @example
   * const { data: conversations } = await parley.conversations.list({ status: "open" });
   */
  list(query?: Query<"listConversations">, options?: CallOptions): List<Conversation, ConversationList> {
    return this.session.list("/api/v1/conversations", { query }, options);
  }

  /**
   * Retrieves a conversation by ID, without its messages.
   *
   * @param id - ID of the conversation
   * @throws {@link NotFoundError} if the organization has no such conversation
   *
   * @example
   * const { data: conversation } = await parley.conversations.get(conversationId);
   */
  get(id: string, options?: CallOptions): Call<ConversationResponse> {
    return this.session.call("get", "/api/v1/conversations/{id}", { path: { id } }, options);
  }

  /**
   * Starts a conversation between a visitor and a chatbot. Publishes `conversation.started`.
   *
   * @throws {@link InvalidRequestError} if a field is invalid
   *
   * @example
   * const { data: conversation } = await parley.conversations.start({ chatbot_id: chatbotId });
   */
  start(body: ConversationCreate, options?: PostOptions): Call<ConversationResponse> {
    return this.session.call("post", "/api/v1/conversations", { body }, options);
  }

  /**
   * Ends a conversation and publishes `conversation.ended`. If the conversation has already ended, nothing changes.
   *
   * @param id - ID of the conversation
   * @throws {@link NotFoundError} if the organization has no such conversation
   *
   * @example
   * const { data: conversation } = await parley.conversations.end(conversationId);
   */
  end(id: string, options?: PostOptions): Call<ConversationResponse> {
    return this.session.call("post", "/api/v1/conversations/{id}/end", { path: { id } }, options);
  }

  /**
   * Lists the messages of a conversation, oldest first.
   *
   * @param id - ID of the conversation
   * @param query - `limit` (1 to 100, default 20) and `offset` (default 0)
   * @throws {@link NotFoundError} if the organization has no such conversation
   *
   * @example
   * for await (const { attributes } of parley.conversations.messages(conversationId)) console.log(attributes.text);
   */
  messages(id: string, query?: Query<"listMessages">, options?: CallOptions): List<Message, MessageList> {
    return this.session.list("/api/v1/conversations/{id}/messages", { path: { id }, query }, options);
  }

  /**
   * Adds a message to an open conversation. A visitor's message publishes `conversation.message_received`.
   *
   * @param id - ID of the conversation
   * @throws {@link InvalidRequestError} if a field is invalid or the conversation has ended
   * @throws {@link NotFoundError} if the organization has no such conversation
   *
   * @example
   * const { data: message } = await parley.conversations.addMessage(conversationId, { role: "visitor", text: "Hello" });
   */
  addMessage(id: string, body: MessageCreate, options?: PostOptions): Call<MessageResponse> {
    return this.session.call("post", "/api/v1/conversations/{id}/messages", { path: { id }, body }, options);
  }

  /**
   * Deletes a conversation with its messages. Publishes no event.
   *
   * @param id - ID of the conversation
   * @throws {@link NotFoundError} if the organization has no such conversation. After a retry, an earlier attempt may have deleted it
   *
   * @example
   * await parley.conversations.delete(conversationId);
   */
  delete(id: string, options?: CallOptions): Call<DeletedRecordResponse> {
    return this.session.call("delete", "/api/v1/conversations/{id}", { path: { id } }, options);
  }
}
