import { canFillGap, resumeSubscription } from "@parley/webhooks";
import { invalidField } from "../../http/api-error.ts";
import type { AuthoredChange } from "../../http/make-change.ts";
import { recordWebhookChange } from "./audit.ts";
import type { SubscriptionRow } from "./resource.ts";
import { findSubscription, lockSubscription, requireGrant } from "./service.ts";

/**
 * Resumes a subscription.
 *
 * @param change an exclusive change unless the gap is filled, see `ChangeOptions`
 * @returns the subscription, and the number of events in the gap that is filled
 * @throws ApiError 404 if the organization has no such subscription; 400 if filling the gap would break its order
 */
export async function resume(
  change: AuthoredChange,
  id: string,
  fillGap: boolean,
): Promise<{ row: SubscriptionRow; gapEvents: number }> {
  await requireGrant(change);
  const before = await lockSubscription(change, id);
  if (fillGap && before.gapFrom !== null && !canFillGap(before)) {
    const reason = "was resumed without it, and the events of the gap would arrive after later ones";
    throw invalidField(
      "body/fill_gap",
      `cannot be used: the subscription receives events in order, ${reason}`,
    );
  }
  const { isChanged, gapEvents } = await resumeSubscription(change, before, fillGap);
  if (isChanged) {
    const details = { fill_gap: fillGap, ...(fillGap && { events: gapEvents }) };
    await recordWebhookChange(change, "webhook.resumed", before, details);
  }
  return { row: await findSubscription(change.tx, change.organizationId, id), gapEvents };
}
