import { type Database, runChange } from "@parley/database";
import { type Change, fillGap, resumeSubscription } from "@parley/webhooks";
import type { SubscriptionRow } from "./resource.ts";
import { findSubscription, lockSubscription } from "./service.ts";

/** Events that one transaction looks through for a gap. */
const batch = 5_000;

/**
 * Makes a subscription active again.
 *
 * @param change an exclusive one
 * @param options.fillGap whether to deliver what happened while it was failed
 * @throws ApiError 404 when the organization has no such subscription
 */
export async function resume(
  change: Change,
  id: string,
  options: { fillGap: boolean },
): Promise<{ row: SubscriptionRow; gap: number }> {
  const before = await lockSubscription(change, id);
  const gap = options.fillGap ? (await fillGap(change, before)).deliveries : 0;
  if (options.fillGap && before.gapFrom) {
    await change.tx.subscription.update({ where: { id }, data: { gapFrom: null } });
  }
  if (before.failureCount > 0 || before.status === "failed") await resumeSubscription(change, before);
  return { row: await findSubscription(change.tx, change.organizationId, id), gap };
}

/**
 * Fills most of the gap while the subscription is still failed, in short transactions: a gap may hold very many events, and
 * only the last few are left to the exclusive change that resumes the subscription.
 *
 * @returns how many deliveries were created
 * @throws ApiError 404 when the organization has no such subscription
 */
export async function fillBeforehand(db: Database, organizationId: string, id: string): Promise<number> {
  let total = 0;
  let from: Date | undefined;
  do {
    const part = { from, limit: batch };
    const { deliveries, next } = await runChange(db, organizationId, async (tx) =>
      fillGap({ tx, organizationId }, await lockSubscription({ tx, organizationId }, id), part),
    );
    total += deliveries;
    from = next ?? undefined;
  } while (from);
  return total;
}
