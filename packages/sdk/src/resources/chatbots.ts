import type { Call } from "../call.ts";
import type { CallOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type { Chatbot, ChatbotList, ChatbotResponse, Query } from "../types.ts";
import { Resource } from "./resource.ts";

/** Chatbots of the organization. They require no scope. */
export class Chatbots extends Resource {
  /**
   * Lists chatbots, most recently updated first.
   *
   * @param query - `limit` (1 to 100, default 50), `sort` (default `-updated_at`) and filters
   *
   * @example
   * for await (const chatbot of parley.chatbots.list({ status: "active" })) console.log(chatbot.attributes.name);
   */
  list(query?: Query<"listChatbots">, options?: CallOptions): List<Chatbot, ChatbotList> {
    return this.session.list("/api/v1/chatbots", { query }, options);
  }

  /**
   * Retrieves a chatbot by ID.
   *
   * @param id - ID of the chatbot
   * @throws {@link NotFoundError} if the organization has no such chatbot
   *
   * @example
   * const { data: chatbot } = await parley.chatbots.get(chatbotId);
   */
  get(id: string, options?: CallOptions): Call<ChatbotResponse> {
    return this.session.call("get", "/api/v1/chatbots/{id}", { path: { id } }, options);
  }
}
