import type { RequestOf, Schemas } from "@parley/contract";
import { type Conversation, type Message, timeOfChange } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { lockRow } from "../../records/rows.ts";
import type { Written } from "../../records/written.ts";
import { conversationResource, messageResource } from "./resource.ts";
import { findConversation, hasEnded } from "./service.ts";

/**
 * Publishes `conversation.message_received` for a message of the visitor, and a sentiment event when its mood turns the
 * conversation negative or positive.
 *
 * @param externalId the platform's own id, where the message comes from there
 * @throws ApiError 404 when the organization has no such conversation; 400 when it has ended
 */
export async function addMessage(
  change: Change,
  conversationId: string,
  { role, text, sentiment }: RequestOf<"addMessage">["body"],
  externalId: string | null = null,
): Promise<Message> {
  const { tx, organizationId, publish } = change;
  await lockRow(change, "conversations", conversationId);
  const before = await findConversation(tx, organizationId, conversationId);
  if (before.status === "ended") {
    throw hasEnded(externalId === null ? undefined : "body/conversation_external_id");
  }
  const now = await timeOfChange(tx, change.now, before.updatedAt);
  const { chatbotId } = before;
  const message = await tx.message.create({
    data: { organizationId, externalId, conversationId, chatbotId, role, text, sentiment, createdAt: now },
  });
  const mood = role === "visitor" ? (sentiment ?? before.sentiment) : before.sentiment;
  const after = await tx.conversation.update({
    where: { id: conversationId, organizationId },
    data: { messageCount: { increment: 1 }, sentiment: mood, updatedAt: now },
  });
  if (role === "visitor") {
    await publish({ type: "conversation.message_received", chatbotId, data: messageResource(message) });
  }
  await announceMood(change, before, after);
  return message;
}

/**
 * Sets the sentiment of a message that was judged after it was said. The latest judged message of the visitor is the mood of
 * the conversation; a sentiment event is published when that turns negative or positive.
 *
 * @param message of the organization
 */
export async function judgeMessage(
  change: Change,
  message: Message,
  sentiment: Schemas["Sentiment"] | null,
): Promise<Written<Message>> {
  const { tx, organizationId } = change;
  const { id, conversationId } = message;
  await lockRow(change, "conversations", conversationId);
  const before = await tx.message.findUniqueOrThrow({ where: { id, organizationId } });
  if (before.sentiment === sentiment) return { row: before, result: "unchanged" };
  const row = await tx.message.update({ where: { id, organizationId }, data: { sentiment } });
  if (row.role === "visitor") await followMood(change, conversationId);
  return { row, result: "updated" };
}

async function followMood(change: Change, conversationId: string): Promise<void> {
  const { tx, organizationId } = change;
  const before = await findConversation(tx, organizationId, conversationId);
  const latest = await tx.message.findFirst({
    where: { organizationId, conversationId, role: "visitor", sentiment: { not: null } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { sentiment: true },
  });
  const mood = latest?.sentiment ?? null;
  if (mood === before.sentiment) return;
  const updatedAt = await timeOfChange(tx, change.now, before.updatedAt);
  const where = { id: conversationId, organizationId };
  await announceMood(
    change,
    before,
    await tx.conversation.update({ where, data: { sentiment: mood, updatedAt } }),
  );
}

async function announceMood({ publish }: Change, before: Conversation, after: Conversation): Promise<void> {
  const { sentiment: mood, chatbotId } = after;
  if (mood === before.sentiment || (mood !== "negative" && mood !== "positive")) return;
  await publish({ type: `conversation.sentiment_${mood}`, chatbotId, data: conversationResource(after) });
}

/** Where a message of the organization stands. */
export async function messagePlace(
  { tx, organizationId }: Change,
  id: string,
): Promise<Pick<Message, "conversationId" | "chatbotId">> {
  return tx.message.findUniqueOrThrow({
    where: { id, organizationId },
    select: { conversationId: true, chatbotId: true },
  });
}
