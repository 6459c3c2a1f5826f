import type { Schemas } from "./index.ts";

/** Path segment of each kind of record in the URLs of the Platform API. */
export const platformFolders: Record<Schemas["BatchItem"]["type"], string> = {
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
