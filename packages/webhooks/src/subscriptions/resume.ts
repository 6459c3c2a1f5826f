import { type Subscription, timeOfChange } from "@parley/database";
import { notifyChanged } from "../notifications.ts";
import type { Change } from "../publish/publisher.ts";

/**
 * Resumes a failed or failing subscription. Closes its circuit breaker and schedules pending deliveries for immediate
 * sending. Attempts in flight are still logged, but no longer change the circuit breaker. `failure_reason` is kept
 * until a delivery succeeds.
 *
 * @param change holds the locks of the subscription and its queue. For a failed subscription it must be exclusive, so that no event is
 *   recorded at the same time.
 */
export async function resumeSubscription(change: Change, { id, updatedAt }: Subscription): Promise<void> {
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
