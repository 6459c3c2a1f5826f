import type { CallOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type { Chatbot, ChatbotList, ChatbotResponse, Query } from "../types.ts";
import { Resource } from "./resource.ts";

/** The chatbots of the organization. */
export class Chatbots extends Resource {
  /**
   * Lists them, newest change first (specification §4.3).
   *
   * @example
   * for await (const chatbot of parley.chatbots.list({ status: "active" })) console.log(chatbot.attributes.name);
   */
  list(query?: Query<"listChatbots">, options?: CallOptions): List<Chatbot, ChatbotList> {
    return this.session.list("/api/v1/chatbots", { query }, options);
  }

  /**
   * Reads one.
   *
   * @example
   * const { data: chatbot } = await parley.chatbots.get(chatbotId);
   */
  get(id: string, options?: CallOptions): Promise<ChatbotResponse> {
    return this.session.call("get", "/api/v1/chatbots/{id}", { path: { id } }, options);
  }
}
