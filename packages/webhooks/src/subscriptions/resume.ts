import { type Subscription, timeOfChange } from "@parley/database";
import { countSkipped } from "../backfill/gap.ts";
import { notifyChanged } from "../notifications.ts";
import type { Change } from "../publish/publisher.ts";

/** Larger than any gap. */
const all = 2_147_483_647;

/**
 * Resumes a subscription that is failed, failing or disabled, and resets its circuit breaker. If its gap is filled, the subscription continues to
 * skip events until `runBackfills` has created the deliveries.
 *
 * @param change holds the locks of the subscription and its queue. It must be exclusive unless the gap is filled, so that no event is
 *   skipped at the same time
 * @returns whether anything changed, and the number of events in the gap that is filled
 */
export async function resumeSubscription(
  change: Change,
  subscription: Subscription,
  fillGap: boolean,
): Promise<{ isChanged: boolean; gapEvents: number }> {
  const { id, status, enabled, failureCount, gapFrom, fillingGap } = subscription;
  const isStopped = status === "failed" || !enabled;
  const fills = fillGap && gapFrom !== null;
  const gapEvents = fills ? await countSkipped(change.tx, subscription, all) : 0;
  if (isStopped || fills) {
    await change.tx.subscription.update({ where: { id }, data: { enabled: true, fillingGap: fills } });
  }
  const isFailing = isStopped || failureCount > 0;
  if (isFailing) await resetCircuit(change, subscription);
  return { isChanged: isFailing || (fills && !fillingGap), gapEvents };
}

/**
 * Resets the circuit breaker, and schedules pending deliveries for immediate sending. Attempts in flight are still logged, but no longer
 * change the circuit breaker. `failure_reason` is kept until a delivery succeeds.
 *
 * @param change holds the locks of the subscription and its queue
 */
export async function resetCircuit(change: Change, { id, updatedAt }: Subscription): Promise<void> {
  const { tx, notifyPending, now } = change;
  const recovered = { status: "active", failureCount: 0, failedAt: null };
  await tx.subscription.update({
    where: { id },
    data: { ...recovered, updatedAt: await timeOfChange(tx, now, updatedAt) },
  });
  await tx.subscriptionQueue.update({ where: { subscriptionId: id }, data: { circuitOpenUntil: null } });
  // Restores the original order: deliveries that were tried before come first again.
  await tx.$executeRaw`
    UPDATE deliveries SET next_at = uuid_extract_timestamp(id) WHERE subscription_id = ${id}::uuid AND next_at > now()`;
  await notifyChanged(tx, id);
  notifyPending(id);
}
