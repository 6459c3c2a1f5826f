import type { PlannedRequest } from "./request.ts";
import { item } from "./step.ts";

const at = { chatbot_external_id: "sales-bot" };
const said = { conversation_external_id: "chat-00001", role: "visitor", text: "Hello" } as const;

/** What another organization writes about the first one's records: to it there are none, so nothing comes of it. */
export const strangers: PlannedRequest = {
  put: false,
  items: [
    item("conversation", "chat-00001", at),
    item("message", "chat-00001/1", said),
    item("lead", "lead-00001", at),
    item("ticket", "ticket-1", { subject: "Help", conversation_external_id: "chat-00001" }),
    item("message_feedback", "rating", { message_external_id: "chat-00001/1", rating: "negative" }),
    item("tool_run", "tool-1", { ...at, tool: "look_up_invoice", status: "failed", duration_ms: 1 }),
  ],
  results: Array.from({ length: 6 }, () => "failed"),
  twice: false,
};
