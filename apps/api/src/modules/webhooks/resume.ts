import type { Database } from "@parley/database";
import { type Change, fillGap, resumeSubscription } from "@parley/webhooks";
import type { SubscriptionRow } from "./resource.ts";
import { findSubscription, lockSubscription } from "./service.ts";

/** For what may make very many deliveries due. */
export const longMs = 120_000;

/**
 * Makes a subscription active again.
 *
 * @param change one that is alone
 * @param options.fillGap whether to deliver what happened while it was failed
 * @throws ApiError 404 when the organization has no such subscription
 */
export async function resume(
  change: Change,
  id: string,
  options: { fillGap: boolean },
): Promise<{ row: SubscriptionRow; gap: number }> {
  const before = await lockSubscription(change, id);
  const gap = options.fillGap ? await fillGap(change, before) : 0;
  if (options.fillGap && before.gapFrom) {
    await change.tx.subscription.update({ where: { id }, data: { gapFrom: null } });
  }
  if (before.failureCount > 0 || before.status === "failed") await resumeSubscription(change, before);
  return { row: await findSubscription(change.tx, change.organizationId, id), gap };
}

/**
 * Fills most of the gap beforehand, which is held while the subscription is still failed. A gap may hold very many events:
 * the organization's changes need not wait for all of them, but for the few that are left to `resume`.
 *
 * @throws ApiError 404 when the organization has no such subscription
 */
export async function fillBeforehand(db: Database, organizationId: string, id: string): Promise<number> {
  return db.$transaction(
    async (tx) => fillGap({ tx, organizationId }, await lockSubscription({ tx, organizationId }, id)),
    { timeout: longMs },
  );
}
