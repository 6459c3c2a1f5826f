import type { Schemas } from "@parley/contract";
import type { Conversation, Message } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { lockRecord, resolveReference } from "../../records/rows.ts";
import { requireSame, type Written } from "../../records/written.ts";
import { addMessage, updateMessageSentiment } from "./messages.ts";
import { startConversation, updateConversation } from "./service.ts";

/**
 * Creates or updates the conversation with the external ID, and publishes the events.
 *
 * @throws ApiError 400 if the organization has no such chatbot or lead, or the conversation belongs to another chatbot
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
  const existing = await tx.conversation.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
    select: { id: true, chatbotId: true },
  });
  const state = { leadId, ...rest };
  if (!existing)
    return { row: await startConversation(change, { chatbotId, externalId, ...state }), result: "created" };
  requireSame(chatbotId, existing.chatbotId, field);
  return updateConversation(change, existing.id, state);
}

/**
 * Adds the message with the external ID or updates its sentiment, and publishes the events.
 *
 * @throws ApiError 400 if the organization has no such conversation, if a new message's conversation has ended, or if the stored
 *   message differs in a field other than the sentiment
 */
export async function upsertMessage(
  change: Change,
  externalId: string,
  { conversation_external_id, role, text, sentiment }: Schemas["PlatformMessage"],
): Promise<Written<Message>> {
  const { tx, organizationId } = change;
  const field = "body/conversation_external_id";
  const conversationId = await resolveReference(change, "conversations", conversation_external_id, field);
  // The lock is taken before the SELECT, so that the SELECT finds a message that a concurrent request with the same
  // external ID wrote.
  await lockRecord(change, "conversations", conversationId);
  const existing = await tx.message.findUnique({
    where: { organizationId_externalId: { organizationId, externalId } },
  });
  if (!existing) {
    const row = await addMessage(
      change,
      conversationId,
      { role, text, sentiment: sentiment ?? null },
      externalId,
    );
    return { row, result: "created" };
  }
  requireSame(conversationId, existing.conversationId, field);
  requireSame(role, existing.role, "body/role");
  requireSame(text, existing.text, "body/text");
  if (sentiment === undefined || sentiment === existing.sentiment)
    return { row: existing, result: "unchanged" };
  return { row: await updateMessageSentiment(change, existing, sentiment), result: "updated" };
}
