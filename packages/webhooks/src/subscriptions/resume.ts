import { type Subscription, timeOfChange } from "@parley/database";
import { joinInOnePass } from "../log/join-in-one-pass.ts";
import { notifyChanged } from "../notifications.ts";
import type { Change } from "../publish/publisher.ts";
import { everyChatbot } from "../publish/record-events.ts";

/** A transaction that began before the failure may still record its event after it, with an earlier time. */
const slackMs = 60_000;

/**
 * Makes a failed or failing subscription active again. Its circuit breaker closes and pending deliveries are sent at once.
 * Attempts in flight finish: they are logged, but no longer change the circuit. `failure_reason` stays until a delivery
 * succeeds.
 *
 * @param change holds the locks of the subscription and its queue. For a failed subscription it runs alone, so that no
 *   event is recorded meanwhile.
 */
export async function resumeSubscription(change: Change, { id, updatedAt }: Subscription): Promise<void> {
  const { tx, due, now } = change;
  const calm = { status: "active", failureCount: 0, failedAt: null };
  await tx.subscription.update({
    where: { id },
    data: { ...calm, updatedAt: await timeOfChange(tx, now, updatedAt) },
  });
  await tx.subscriptionQueue.update({ where: { subscriptionId: id }, data: { circuitOpenUntil: null } });
  // What was tried before goes first again, as when it was made.
  await tx.$executeRaw`
    UPDATE deliveries SET next_at = uuid_extract_timestamp(id) WHERE subscription_id = ${id}::uuid AND next_at > now()`;
  await notifyChanged(tx, id);
  due(id);
}

/**
 * Makes what happened while a subscription was failed due, in its order, each event once: what it asks for now, and before the
 * failure what it asked for then. A gap that was left stays until a delivery succeeds.
 *
 * @param within a transaction that holds the locks of the subscription and its queue. What happens meanwhile is left out
 *   unless it is a change that is alone
 * @returns how many deliveries were made
 */
export async function fillGap(
  { tx, organizationId }: Pick<Change, "tx" | "organizationId">,
  subscription: Subscription,
): Promise<number> {
  const { id, gapFrom } = subscription;
  if (!gapFrom) return 0;
  const from = new Date(gapFrom.getTime() - slackMs).toISOString();
  await joinInOnePass(tx);
  // The lock keeps the events from being removed as too old before the deliveries are there, see remove-old-events.ts.
  return tx.$executeRaw`
    INSERT INTO deliveries (organization_id, subscription_id, event_id)
    SELECT e.organization_id, ${id}::uuid, e.id
    FROM events e JOIN subscription_routes route ON route.subscription_id = ${id}::uuid AND route.event_type = e.type
    WHERE e.organization_id = ${organizationId}::uuid AND e.created_at >= ${from}::timestamptz
      AND route.chatbot_id IN (${everyChatbot}::uuid, coalesce(e.chatbot_id, ${everyChatbot}::uuid))
      AND (e.created_at >= ${gapFrom.toISOString()}::timestamptz OR e.created_at >= route.since)
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.subscription_id = ${id}::uuid AND d.event_id = e.id)
      AND NOT EXISTS (
        SELECT 1 FROM delivery_attempts a
        WHERE a.subscription_id = ${id}::uuid AND a.event_id = e.id
          AND a.attempted_at >= ${from}::timestamptz - interval '1 minute' -- The worker's clock may differ a little.
      )
    ORDER BY e.id
    FOR KEY SHARE OF e`;
}
