import { type Database, runChange } from "@parley/database";
import { fillGap, resumeSubscription } from "@parley/webhooks";
import { type ApiError, invalidField } from "../../http/api-error.ts";
import type { AuthoredChange } from "../../http/make-change.ts";
import { recordWebhookChange } from "./audit.ts";
import { type PendingLimit, remainingPending } from "./pending-limit.ts";
import type { SubscriptionRow } from "./resource.ts";
import { findSubscription, lockSubscription } from "./service.ts";

/** Number of events that one transaction examines. */
const batch = 5_000;

/**
 * Resumes a subscription.
 *
 * @param change an exclusive change, see `ChangeOptions`
 * @param options.fillGap whether to create deliveries for the events since the failure
 * @param options.filledBefore number of deliveries that `fillGapInBatches` created
 * @returns the subscription, and the number of deliveries that were created for the gap
 * @throws ApiError 404 if the organization has no such subscription; 400 if filling the gap would break its order
 */
export async function resume(
  change: AuthoredChange,
  id: string,
  options: { fillGap: boolean; filledBefore: number },
): Promise<{ row: SubscriptionRow; gap: number }> {
  const before = await lockSubscription(change, id);
  if (options.fillGap) requireOrder(before);
  const gap = options.fillGap ? (await fillGap(change, before)).deliveries : 0;
  if (options.fillGap && before.gapFrom) {
    await change.tx.subscription.update({ where: { id }, data: { gapFrom: null } });
  }
  const isFailing = before.failureCount > 0 || before.status === "failed";
  if (isFailing) await resumeSubscription(change, before);
  const deliveries = options.filledBefore + gap;
  if (isFailing || deliveries > 0) {
    const details = { fill_gap: options.fillGap, ...(options.fillGap && { deliveries }) };
    await recordWebhookChange(change, "webhook.resumed", before, details);
  }
  return { row: await findSubscription(change.tx, change.organizationId, id), gap };
}

/** An active subscription may have received later events of a record. */
function requireOrder({ status, ordering, gapFrom }: SubscriptionRow): void {
  if (status === "failed" || ordering === null || gapFrom === null) return;
  const reason = "was resumed without it, and the events of the gap would arrive after later ones";
  throw invalidField("body/fill_gap", `cannot be used: the subscription receives events in order, ${reason}`);
}

/**
 * Fills most of the gap in short transactions while the subscription's status is still `failed`, because a gap may contain millions
 * of events. Only the latest are left to the exclusive change that resumes the subscription.
 *
 * @returns number of deliveries created
 * @throws ApiError 404 if the organization has no such subscription; 400 if too many deliveries would be pending
 */
export async function fillGapInBatches(
  db: Database,
  limit: PendingLimit,
  organizationId: string,
  id: string,
): Promise<number> {
  const remaining = await remainingPending(db, organizationId, limit);
  let total = 0;
  let from: Date | undefined;
  do {
    const part = { from, limit: batch };
    const { deliveries, next } = await runChange(db, organizationId, async (tx) => {
      const subscription = await lockSubscription({ tx, organizationId }, id);
      requireOrder(subscription);
      return fillGap({ tx, organizationId }, subscription, part);
    });
    total += deliveries;
    from = next ?? undefined;
    if (from && total > remaining) throw gapTooLarge(limit, from);
  } while (from);
  return total;
}

/** @param from the events before this time have deliveries */
function gapTooLarge({ maxPending }: PendingLimit, from: Date): ApiError {
  const time = from.toISOString();
  const reason = `the organization would have more than ${maxPending.toLocaleString("en")} pending deliveries`;
  const fix = `Resume without it to send the events before ${time}, and read the later ones with GET /api/v1/events?since=${time}`;
  return invalidField("body/fill_gap", `cannot be used: ${reason}. ${fix}.`);
}
