import type { Schemas } from "@parley/contract";
import type { ToolRun } from "@parley/database";
import { toolRunResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { resolveReference } from "../../records/rows.ts";
import { requireSame, type Written } from "../../records/written.ts";

/**
 * Creates the tool run with the external ID. Publishes `agent.tool_executed` or `agent.tool_failed`.
 *
 * @throws ApiError 400 if the organization has no such chatbot or conversation, or the stored run has other values
 */
export async function upsertToolRun(
  change: Change,
  externalId: string,
  { chatbot_external_id, conversation_external_id, ...run }: Schemas["PlatformToolRun"],
): Promise<Written<ToolRun>> {
  const { tx, organizationId, now, publish } = change;
  const chatbotField = "body/chatbot_external_id";
  const conversationField = "body/conversation_external_id";
  const chatbotId = await resolveReference(change, "chatbots", chatbot_external_id, chatbotField);
  const conversationId = await resolveReference(
    change,
    "conversations",
    conversation_external_id,
    conversationField,
  );
  const { tool, status, error, duration_ms: durationMs } = run;
  const where = { organizationId_externalId: { organizationId, externalId } };
  const existing = await tx.toolRun.findUnique({ where });
  if (existing) {
    requireSame(chatbotId, existing.chatbotId, chatbotField);
    requireSame(conversationId, existing.conversationId, conversationField);
    requireSame(tool, existing.tool, "body/tool");
    requireSame(status, existing.status, "body/status");
    requireSame(error, existing.error, "body/error");
    requireSame(durationMs, existing.durationMs, "body/duration_ms");
    return { row: existing, result: "unchanged" };
  }
  const columns = {
    chatbotId,
    conversationId: conversationId ?? null,
    tool,
    status,
    error: error ?? null,
    durationMs,
  };
  const row = await tx.toolRun.create({ data: { organizationId, externalId, ...columns, createdAt: now } });
  publish({ type: `agent.tool_${status}`, chatbotId, data: toolRunResource(row) });
  return { row, result: "created" };
}
