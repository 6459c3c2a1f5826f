import type { Database } from "@parley/database";
import {
  canFillGap,
  type FilledGap,
  fillGapInBatches,
  finishGap,
  resumeSubscription,
} from "@parley/webhooks";
import { invalidField } from "../../http/api-error.ts";
import type { AuthoredChange } from "../../http/make-change.ts";
import { recordWebhookChange } from "./audit.ts";
import type { PendingLimit } from "./pending-limit.ts";
import type { SubscriptionRow } from "./resource.ts";
import { findSubscription, lockSubscription } from "./service.ts";

/**
 * Resumes a subscription.
 *
 * @param change an exclusive change, see `ChangeOptions`
 * @param filled result of `beginGap`; null if the gap is not filled
 * @returns the subscription, and the number of deliveries that were created for the gap
 * @throws ApiError 404 if the organization has no such subscription; 400 if filling the gap would break its order
 */
export async function resume(
  change: AuthoredChange,
  id: string,
  filled: FilledGap | null,
): Promise<{ row: SubscriptionRow; gap: number }> {
  const before = await lockSubscription(change, id);
  let gap = 0;
  if (filled) {
    requireOrder(before);
    gap = filled.deliveries + (await finishGap(change, before, filled));
  } else if (before.status === "failed" && before.fillingGap) {
    await change.tx.subscription.update({ where: { id }, data: { fillingGap: false } });
  }
  const isFailing = before.failureCount > 0 || before.status === "failed";
  if (isFailing) await resumeSubscription(change, before);
  else if (gap > 0) change.notifyPending(id);
  if (isFailing || gap > 0) {
    const details = { fill_gap: filled !== null, ...(filled && { deliveries: gap }) };
    await recordWebhookChange(change, "webhook.resumed", before, details);
  }
  return { row: await findSubscription(change.tx, change.organizationId, id), gap };
}

/** An active subscription may have received later events of a record. */
function requireOrder(subscription: SubscriptionRow): void {
  if (subscription.gapFrom === null || canFillGap(subscription)) return;
  const reason = "was resumed without it, and the events of the gap would arrive after later ones";
  throw invalidField("body/fill_gap", `cannot be used: the subscription receives events in order, ${reason}`);
}

/** Time after which the job of the worker continues, so that the client gets its response. */
const longestFillMs = 10_000;

/**
 * Fills most of the gap while the subscription's status is still `failed`. Only the latest events are left to the exclusive change that resumes
 * the subscription.
 *
 * @throws ApiError 404 if the organization has no such subscription; 400 if filling the gap would break its order
 */
export async function beginGap(
  db: Database,
  { maxPending }: PendingLimit,
  organizationId: string,
  id: string,
): Promise<FilledGap> {
  requireOrder(await findSubscription(db, organizationId, id));
  return fillGapInBatches(
    { db, maxPending, mayFill: canFillGap, withinMs: longestFillMs },
    organizationId,
    id,
  );
}
