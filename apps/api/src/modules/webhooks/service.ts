import type { RequestOf, Schemas } from "@parley/contract";
import { type Database, isUuid, type Subscription, type Transaction, timeOfChange } from "@parley/database";
import {
  type AddressPolicy,
  type Change,
  createSigningSecret,
  notifyChanged,
  refuseTargetUrl,
  resumeSubscription,
  type SecretBox,
} from "@parley/webhooks";
import { ApiError, invalidField, notFound } from "../../http/api-error.ts";
import { requireReference, type Within } from "../../records/rows.ts";
import { differences } from "../../records/written.ts";
import { type SubscriptionRow, withQueue } from "./resource.ts";

/** Where target URLs may lead, and: */
export interface SubscriptionPolicy extends AddressPolicy {
  /** How many an organization may have. */
  maxSubscriptions: number;
}

/**
 * Creates an active subscription. The secret is returned here once; the database holds it encrypted.
 *
 * @throws ApiError 400 when the URL or the filter cannot be used, or the organization has as many as it may
 */
export async function createSubscription(
  change: Change,
  secretBox: SecretBox,
  policy: SubscriptionPolicy,
  { target_url: targetUrl, event_types: eventTypes, filters }: RequestOf<"createWebhookSubscription">["body"],
): Promise<{ row: Subscription; secret: string }> {
  const { tx, organizationId } = change;
  requireTargetUrl(targetUrl, policy);
  const chatbotId = filters?.chatbot_id ?? null;
  const secret = createSigningSecret();

  await requireReference(change, "chatbots", chatbotId, "body/filters/chatbot_id");
  // The lock makes concurrent twins count one after the other.
  await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  const { maxSubscriptions } = policy;
  if ((await tx.subscription.count({ where: { organizationId } })) >= maxSubscriptions) {
    const words = `An organization may have ${maxSubscriptions} webhook subscriptions; delete one first.`;
    throw new ApiError(400, "invalid_request", words);
  }
  const row = await tx.subscription.create({
    data: {
      organizationId,
      targetUrl,
      eventTypes,
      chatbotId,
      secret: secretBox.seal(secret, organizationId),
      queue: { create: {} },
    },
  });
  return { row, secret };
}

function requireTargetUrl(targetUrl: string, policy: SubscriptionPolicy): void {
  const problem = refuseTargetUrl(targetUrl, policy);
  if (problem) throw invalidField("body/target_url", problem);
}

/** @throws ApiError 404 when the organization has no such subscription */
export async function findSubscription(
  db: Pick<Database, "subscription">,
  organizationId: string,
  id: string,
): Promise<SubscriptionRow> {
  const found = { where: { id, organizationId }, include: withQueue };
  const row = isUuid(id) ? await db.subscription.findFirst(found) : null;
  if (!row) throw notFound("webhook subscription");
  return row;
}

/**
 * The same under locks, so that two changes at once lose nothing. The queue comes first, as for workers that record results:
 * in the other order the two would wait for each other.
 *
 * @throws ApiError 404 when the organization has no such subscription
 */
export async function lockSubscription({ tx, organizationId }: Within, id: string): Promise<SubscriptionRow> {
  if (isUuid(id)) await lockRows(tx, organizationId, id);
  return findSubscription(tx, organizationId, id);
}

async function lockRows(tx: Transaction, organizationId: string, id: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM subscription_queues queue JOIN subscriptions s ON s.id = queue.subscription_id
    WHERE s.id = ${id}::uuid AND s.organization_id = ${organizationId}::uuid
    FOR UPDATE OF queue`;
  await tx.$queryRaw`
    SELECT 1 FROM subscriptions WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid
    FOR NO KEY UPDATE`;
}

/**
 * Changes what is named, and tells the workers. What failed at another URL is no concern of the new one: it begins with a
 * count of 0, and at once.
 *
 * @throws ApiError 404 when the organization has no such subscription; 400 when the URL or the filter cannot be used
 */
export async function updateSubscription(
  change: Change,
  policy: SubscriptionPolicy,
  id: string,
  { target_url: targetUrl, event_types: eventTypes, filters }: Schemas["SubscriptionUpdate"],
): Promise<SubscriptionRow> {
  const { tx, organizationId, now } = change;
  const before = await lockSubscription(change, id);
  if (targetUrl !== undefined) requireTargetUrl(targetUrl, policy);
  await requireReference(change, "chatbots", filters?.chatbot_id, "body/filters/chatbot_id");
  const chatbotId = filters && (filters.chatbot_id ?? null);
  const columns = differences({ targetUrl, eventTypes, chatbotId }, before);
  if (Object.keys(columns).length === 0) return before;
  if (columns.targetUrl && before.status === "active" && before.failureCount > 0) {
    await resumeSubscription(change, before);
  }
  const updatedAt = await timeOfChange(tx, now, before.updatedAt);
  const data = { ...columns, updatedAt };
  await notifyChanged(tx, id);
  return tx.subscription.update({ where: { id, organizationId }, data, include: withQueue });
}

/**
 * Deletes a subscription. A trigger tells the workers, which send nothing more. A job of the worker removes its deliveries and
 * their log, because there may be very many.
 *
 * @throws ApiError 404 when the organization has no such subscription
 */
export async function deleteSubscription(change: Change, id: string): Promise<Subscription> {
  await lockSubscription(change, id);
  return change.tx.subscription.delete({ where: { id, organizationId: change.organizationId } });
}
