import type { Subscription, Transaction } from "@parley/database";

/**
 * Locks a subscription's queue and its row, so that concurrent changes are not lost. The queue is locked first, as workers do when they record
 * results, to prevent deadlocks.
 *
 * @returns the subscription; null if the organization has none with this ID
 */
export async function lockSubscription(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<Subscription | null> {
  await tx.$queryRaw`
    SELECT 1 FROM subscription_queues queue JOIN subscriptions s ON s.id = queue.subscription_id
    WHERE s.id = ${id}::uuid AND s.organization_id = ${organizationId}::uuid
    FOR UPDATE OF queue`;
  await tx.$queryRaw`
    SELECT 1 FROM subscriptions WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid
    FOR NO KEY UPDATE`;
  return tx.subscription.findFirst({ where: { id, organizationId } });
}
