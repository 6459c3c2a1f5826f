import type { RequestOf, Schemas } from "@parley/contract";
import { type Conversation, type Message, timeOfChange } from "@parley/database";
import { conversationResource, messageResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { findRecord, lockRecord } from "../../records/rows.ts";
import { hasEnded } from "./service.ts";

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
  { role, text, sentiment = null }: RequestOf<"addMessage">["body"],
  externalId: string | null = null,
): Promise<Message> {
  const { tx, organizationId, publish } = change;
  const before = await lockRecord(change, "conversations", conversationId);
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
    publish({ type: "conversation.message_received", chatbotId, data: messageResource(message) });
  }
  announceMood(change, before, after);
  return message;
}

/**
 * Sets the sentiment of a message that was judged after it was said. The latest judged message of the visitor is the mood of
 * the conversation; a sentiment event is published when that turns negative or positive. The conversation counts as changed,
 * so that who polls conversations sees it.
 *
 * @param message of the organization, in a conversation that is locked
 */
export async function judgeMessage(
  change: Change,
  { id, conversationId }: Message,
  sentiment: Schemas["Sentiment"] | null,
): Promise<Message> {
  const { tx, organizationId } = change;
  const judged = await tx.message.update({ where: { id, organizationId }, data: { sentiment } });
  const before = await findRecord(tx, "conversations", organizationId, conversationId);
  const updatedAt = await timeOfChange(tx, change.now, before.updatedAt);
  const after = await tx.conversation.update({
    where: { id: conversationId, organizationId },
    data: { sentiment: await moodOf(change, conversationId), updatedAt },
  });
  announceMood(change, before, after);
  return judged;
}

async function moodOf({ tx, organizationId }: Change, conversationId: string): Promise<string | null> {
  const latest = await tx.message.findFirst({
    where: { organizationId, conversationId, role: "visitor", sentiment: { not: null } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { sentiment: true },
  });
  return latest?.sentiment ?? null;
}

function announceMood({ publish }: Change, before: Conversation, after: Conversation): void {
  const { sentiment: mood, chatbotId } = after;
  if (mood === before.sentiment || (mood !== "negative" && mood !== "positive")) return;
  publish({ type: `conversation.sentiment_${mood}`, chatbotId, data: conversationResource(after) });
}
