import type { ItemType } from "../model/world.ts";

/** Where the records of each kind are. */
export const folders: Record<ItemType, string> = {
  chatbot: "chatbots",
  lead: "leads",
  conversation: "conversations",
  message: "messages",
  ticket: "tickets",
  meeting: "meetings",
  message_feedback: "message-feedback",
  tool_run: "tool-runs",
  usage_record: "usage-records",
};
