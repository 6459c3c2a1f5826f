import type { ResponseOf } from "@parley/contract";
import { defineTrigger } from "zapier-platform-core";

const limit = 100;

/** Lists the options of the chatbot dropdowns. */
export const chatbotList = defineTrigger({
  key: "chatbot_list",
  noun: "Chatbot",
  display: {
    label: "List of Chatbots",
    description: "Lists the options of chatbot dropdowns.",
    hidden: true,
  },
  operation: {
    type: "polling",
    canPaginate: true,
    perform: async (z, { meta }) => {
      const params = { limit, offset: limit * meta.page };
      const { data } = await z.request<ResponseOf<"listChatbots">>({ url: "/api/v1/chatbots", params });
      return data.data;
    },
  },
});
