import type { Schemas } from "@parley/contract";
import type { ToolRun } from "@parley/database";

/** Converts a row to the tool run of the API and its events. */
export function toolRunResource(row: ToolRun): Schemas["ToolRun"] {
  return {
    id: row.id,
    type: "tool_run",
    attributes: {
      chatbot_id: row.chatbotId,
      conversation_id: row.conversationId,
      tool: row.tool,
      status: row.status as Schemas["ToolRun"]["attributes"]["status"],
      error: row.error,
      duration_ms: row.durationMs,
      created_at: row.createdAt.toISOString(),
    },
  };
}
