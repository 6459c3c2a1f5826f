import { defineInputField } from "zapier-platform-core";

/** A dropdown of the organization's chatbots. */
export const chatbotField = defineInputField({
  key: "chatbot_id",
  label: "Chatbot",
  type: "string",
  dynamic: "chatbot_list.value.label",
});
