import type { Schemas } from "@parley/contract";
import type { Conversation, Message } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { lockRecord, resolveReference } from "../../records/rows.ts";
import { requireSame, type Written } from "../../records/written.ts";
import { addMessage, judgeMessage } from "./messages.ts";
import { startConversation, updateConversation } from "./service.ts";

/**
 * Starts the conversation of the platform's own id, or brings it to the state that is given, with the events of either.
 *
 * @throws ApiError 400 when the organization has no such chatbot or lead, or the conversation is another chatbot's
 */
export async function upsertConversation(
  change: Change,
  externalId: string,
  { chatbot_external_id, lead_external_id, ...rest }: Schemas["PlatformConversation"],
): Promise<Written<Conversation>> {
  const { tx, organizationId } = change;
  const field = "body/chatbot_external_id";
  const chatbotId = await resolveReference(change, "chatbots", chatbot_external_id, field);
  const leadId = await resolveReference(change, "leads", lead_external_id, "body/lead_external_id");
  const there = await tx.conversation.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
    select: { id: true, chatbotId: true },
  });
  const state = { leadId, ...rest };
  if (!there)
    return { row: await startConversation(change, { chatbotId, externalId, ...state }), result: "created" };
  requireSame(chatbotId, there.chatbotId, field);
  return updateConversation(change, there.id, state);
}

/**
 * Adds the message of the platform's own id, or judges its sentiment, with the events of either.
 *
 * @throws ApiError 400 when the organization has no such conversation, it has ended, or the message says something else
 */
export async function upsertMessage(
  change: Change,
  externalId: string,
  { conversation_external_id, role, text, sentiment }: Schemas["PlatformMessage"],
): Promise<Written<Message>> {
  const { tx, organizationId } = change;
  const field = "body/conversation_external_id";
  const conversationId = await resolveReference(change, "conversations", conversation_external_id, field);
  // Locked before the message is looked for: what a twin wrote meanwhile is there then.
  await lockRecord(change, "conversations", conversationId);
  const there = await tx.message.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
  });
  if (!there) {
    const row = await addMessage(
      change,
      conversationId,
      { role, text, sentiment: sentiment ?? null },
      externalId,
    );
    return { row, result: "created" };
  }
  requireSame(conversationId, there.conversationId, field);
  requireSame(role, there.role, "body/role");
  requireSame(text, there.text, "body/text");
  if (sentiment === undefined || sentiment === there.sentiment) return { row: there, result: "unchanged" };
  return { row: await judgeMessage(change, there, sentiment), result: "updated" };
}
