import type { RequestOf } from "@parley/contract";
import { type Database, isUuid, type Subscription } from "@parley/database";
import {
  announceChange,
  type Change,
  createSigningSecret,
  refuseTargetUrl,
  type SecretBox,
} from "@parley/webhooks";
import { ApiError, invalidField, notFound } from "../../http/api-error.ts";
import { requireReference } from "../../records/rows.ts";

export interface SubscriptionPolicy {
  /** How many an organization may have. */
  maxSubscriptions: number;
  /** Whether target URLs may lead to this machine. */
  allowLoopback: boolean;
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
  { target_url: targetUrl, event_types: eventTypes, filters }: RequestOf<"createSubscription">["body"],
): Promise<{ row: Subscription; secret: string }> {
  const { tx, organizationId } = change;
  const problem = refuseTargetUrl(targetUrl, policy);
  if (problem) throw invalidField("body/target_url", problem);
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

/** @throws ApiError 404 when the organization has no such subscription */
export async function findSubscription(
  db: Pick<Database, "subscription">,
  organizationId: string,
  id: string,
): Promise<Subscription> {
  const row = isUuid(id) ? await db.subscription.findFirst({ where: { id, organizationId } }) : null;
  if (!row) throw notFound("webhook subscription");
  return row;
}

/**
 * Deletes it with the deliveries that are still due; workers drop what they hold of it.
 *
 * @throws ApiError 404 when the organization has no such subscription
 */
export async function deleteSubscription(
  db: Database,
  organizationId: string,
  id: string,
): Promise<Subscription> {
  const row = await findSubscription(db, organizationId, id);
  await db.$transaction([
    db.subscription.deleteMany({ where: { id, organizationId } }),
    db.delivery.deleteMany({ where: { subscriptionId: id, organizationId } }),
  ]);
  await announceChange(db, id);
  return row;
}
