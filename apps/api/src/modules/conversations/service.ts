import type { RequestOf } from "@parley/contract";
import { type Conversation, type Database, isUuid, type Message, timeOfChange } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { ApiError, notFound } from "../../http/api-error.ts";
import { lockRow, requireReference } from "../../records/rows.ts";
import { conversationResource, messageResource } from "./resource.ts";

/** @throws ApiError 404 when the organization has no such conversation */
export async function findConversation(
  db: Pick<Database, "conversation">,
  organizationId: string,
  id: string,
): Promise<Conversation> {
  const conversation = isUuid(id) ? await db.conversation.findFirst({ where: { id, organizationId } }) : null;
  if (!conversation) throw notFound("conversation");
  return conversation;
}

/** One page of a conversation's messages, oldest first. */
export async function listMessages(
  db: Database,
  { id: conversationId, organizationId }: Conversation,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Message[]; total: number }> {
  const where = { conversationId, organizationId };
  const orderBy = [{ createdAt: "asc" as const }, { id: "asc" as const }];
  const [rows, total] = await Promise.all([
    db.message.findMany({ where, orderBy, take: limit, skip: offset }),
    db.message.count({ where }),
  ]);
  return { rows, total };
}

/**
 * Publishes `conversation.started`.
 *
 * @throws ApiError 400 when chatbot or lead are not the organization's
 */
export async function startConversation(
  change: Change,
  body: RequestOf<"startConversation">["body"],
): Promise<Conversation> {
  const { tx, organizationId, now, publish } = change;
  const { chatbot_id: chatbotId, lead_id: leadId, channel, visitor } = body;
  await requireReference(change, "chatbots", chatbotId, "body/chatbot_id");
  await requireReference(change, "leads", leadId, "body/lead_id");
  const conversation = await tx.conversation.create({
    data: {
      organizationId,
      chatbotId,
      leadId,
      channel,
      visitorName: visitor?.name ?? null,
      visitorEmail: visitor?.email ?? null,
      startedAt: now,
      updatedAt: now,
    },
  });
  await publish({ type: "conversation.started", chatbotId, data: conversationResource(conversation) });
  return conversation;
}

/**
 * Publishes `conversation.message_received` for a message of the visitor, and a sentiment event when the message's mood
 * turns the conversation negative or positive.
 *
 * @throws ApiError 404 when the organization has no such conversation; 400 when it has ended
 */
export async function addMessage(
  change: Change,
  conversationId: string,
  { role, text, sentiment }: RequestOf<"addMessage">["body"],
): Promise<Message> {
  const { tx, organizationId, publish } = change;
  await lockRow(change, "conversations", conversationId);
  const before = await findConversation(tx, organizationId, conversationId);
  if (before.status === "ended") {
    throw new ApiError(400, "invalid_request", "The conversation has ended; start another one.");
  }
  const now = await timeOfChange(change.tx, change.now, before.updatedAt);
  const { chatbotId } = before;
  const message = await tx.message.create({
    data: { organizationId, conversationId, chatbotId, role, text, sentiment, createdAt: now },
  });
  const mood = role === "visitor" ? (sentiment ?? before.sentiment) : before.sentiment;
  const after = await tx.conversation.update({
    where: { id: conversationId, organizationId },
    data: { messageCount: { increment: 1 }, sentiment: mood, updatedAt: now },
  });
  if (role === "visitor") {
    await publish({ type: "conversation.message_received", chatbotId, data: messageResource(message) });
  }
  if (mood !== before.sentiment && (mood === "negative" || mood === "positive")) {
    await publish({ type: `conversation.sentiment_${mood}`, chatbotId, data: conversationResource(after) });
  }
  return message;
}

/**
 * Publishes `conversation.ended`; a conversation that has ended stays as it is.
 *
 * @throws ApiError 404 when the organization has no such conversation
 */
export async function endConversation(change: Change, id: string): Promise<Conversation> {
  const { tx, organizationId, publish } = change;
  await lockRow(change, "conversations", id);
  const before = await findConversation(tx, organizationId, id);
  if (before.status === "ended") return before;
  const now = await timeOfChange(change.tx, change.now, before.updatedAt);
  const after = await tx.conversation.update({
    where: { id, organizationId },
    data: { status: "ended", endedAt: now, updatedAt: now },
  });
  await publish({
    type: "conversation.ended",
    chatbotId: after.chatbotId,
    data: conversationResource(after),
  });
  return after;
}
