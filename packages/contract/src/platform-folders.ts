import type { Schemas } from "./index.ts";

/** Where the platform's door has the records of each kind: the part of a path behind the organization. */
export const platformFolders: Record<Schemas["PlatformItem"]["type"], string> = {
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
