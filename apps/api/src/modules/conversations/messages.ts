import type { RequestOf, Schemas } from "@parley/contract";
import { type Conversation, type Message, timeOfChange } from "@parley/database";
import { conversationResource, messageResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { findRecord, lockRecord } from "../../records/rows.ts";
import { conversationEnded } from "./service.ts";

/**
 * Adds a message to a conversation. Publishes `conversation.message_received` for a message of the visitor, and a sentiment event
 * if the conversation's sentiment becomes negative or positive.
 *
 * @param externalId the external ID, for messages of the Platform API
 * @throws ApiError 404 if the organization has no such conversation; 400 if it has ended
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
    throw conversationEnded(externalId === null ? undefined : "body/conversation_external_id");
  }
  const now = await timeOfChange(tx, change.now, before.updatedAt);
  const { chatbotId } = before;
  const message = await tx.message.create({
    data: { organizationId, externalId, conversationId, chatbotId, role, text, sentiment, createdAt: now },
  });
  const newSentiment = role === "visitor" ? (sentiment ?? before.sentiment) : before.sentiment;
  const after = await tx.conversation.update({
    where: { id: conversationId, organizationId },
    data: { messageCount: { increment: 1 }, sentiment: newSentiment, updatedAt: now },
  });
  if (role === "visitor") {
    publish({ type: "conversation.message_received", chatbotId, data: messageResource(message) });
  }
  publishSentimentChange(change, before, after);
  return message;
}

/**
 * Sets the sentiment of a stored message. The sentiment of the conversation becomes the sentiment of the visitor's
 * latest message with a sentiment. If it becomes negative or positive, a sentiment event is published. The
 * conversation's `updated_at` also changes, so that polling clients see the change.
 *
 * @param message a message of the organization, whose conversation is locked
 */
export async function updateMessageSentiment(
  change: Change,
  { id, conversationId }: Message,
  sentiment: Schemas["Sentiment"] | null,
): Promise<Message> {
  const { tx, organizationId } = change;
  const updated = await tx.message.update({ where: { id, organizationId }, data: { sentiment } });
  const before = await findRecord(tx, "conversations", organizationId, conversationId);
  const updatedAt = await timeOfChange(tx, change.now, before.updatedAt);
  const after = await tx.conversation.update({
    where: { id: conversationId, organizationId },
    data: { sentiment: await latestSentiment(change, conversationId), updatedAt },
  });
  publishSentimentChange(change, before, after);
  return updated;
}

async function latestSentiment(
  { tx, organizationId }: Change,
  conversationId: string,
): Promise<string | null> {
  const latest = await tx.message.findFirst({
    where: { organizationId, conversationId, role: "visitor", sentiment: { not: null } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { sentiment: true },
  });
  return latest?.sentiment ?? null;
}

function publishSentimentChange({ publish }: Change, before: Conversation, after: Conversation): void {
  const { sentiment, chatbotId } = after;
  if (sentiment === before.sentiment || (sentiment !== "negative" && sentiment !== "positive")) return;
  publish({ type: `conversation.sentiment_${sentiment}`, chatbotId, data: conversationResource(after) });
}
