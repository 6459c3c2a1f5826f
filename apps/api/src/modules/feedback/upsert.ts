import type { Schemas } from "@parley/contract";
import { type MessageFeedback, timeNow } from "@parley/database";
import { feedbackResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { lockRecord, resolveReference } from "../../records/rows.ts";
import { differences, given, requireSame, type Written } from "../../records/written.ts";

/**
 * Creates the feedback with the external ID, or updates its rating or comment. Publishes `message.feedback_positive` or
 * `message.feedback_negative` for a new rating.
 *
 * @throws ApiError 400 if the organization has no such message, or the feedback belongs to another message
 */
export async function upsertFeedback(
  change: Change,
  externalId: string,
  { message_external_id, rating, comment }: Schemas["PlatformMessageFeedback"],
): Promise<Written<MessageFeedback>> {
  const { tx, organizationId, now } = change;
  const field = "body/message_external_id";
  const messageId = await resolveReference(change, "messages", message_external_id, field);
  const wanted = { rating, ...given({ comment }) };
  const where = { organizationId_externalId: { organizationId, externalId } };
  // The lock makes concurrent requests with the same external ID wait, so that a new rating is published once.
  await tx.$executeRaw`
    SELECT 1 FROM message_feedback WHERE organization_id = ${organizationId}::uuid AND external_id = ${externalId}
    FOR NO KEY UPDATE`;
  const before = await tx.messageFeedback.findUnique({ where });
  if (!before) {
    const parent = await tx.message.findUniqueOrThrow({
      where: { id: messageId, organizationId },
      select: { conversationId: true, chatbotId: true },
    });
    const data = { organizationId, externalId, messageId, ...parent, ...wanted, createdAt: now };
    const row = await tx.messageFeedback.create({ data });
    await publishRating(change, row);
    return { row, result: "created" };
  }
  requireSame(messageId, before.messageId, field);
  const columns = differences(wanted, before);
  if (Object.keys(columns).length === 0) return { row: before, result: "unchanged" };
  const row = await tx.messageFeedback.update({ where, data: columns });
  if (columns.rating) await publishRating(change, row);
  return { row, result: "updated" };
}

/** The lock gives the events of a conversation an order. */
async function publishRating(change: Change, row: MessageFeedback): Promise<void> {
  await lockRecord(change, "conversations", row.conversationId);
  const data = feedbackResource(row);
  const at = await timeNow(change.tx);
  change.publish({ type: `message.feedback_${data.attributes.rating}`, chatbotId: row.chatbotId, data, at });
}
