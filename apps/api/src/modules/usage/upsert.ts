import type { Schemas } from "@parley/contract";
import { timeOfChange, type UsageRecord } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { invalidField } from "../../http/api-error.ts";
import { requireSame, type Written } from "../../records/written.ts";
import { addUsage, monthOf } from "./period.ts";

/**
 * Creates the usage record with the external ID or corrects it, and updates the sum of its month. Publishes
 * `usage.threshold_reached` if the sum reaches a threshold for the first time.
 *
 * @throws ApiError 400 if the stored record has another metric or is in another month, or if the month is after November 9999
 */
export async function upsertUsageRecord(
  change: Change,
  externalId: string,
  { metric, quantity, occurred_at }: Schemas["PlatformUsageRecord"],
): Promise<Written<UsageRecord>> {
  const { tx, organizationId, now } = change;
  const where = { organizationId_externalId: { organizationId, externalId } };
  // The lock makes concurrent requests with the same external ID wait, so that no correction is counted twice.
  await tx.$executeRaw`
    SELECT 1 FROM usage_records WHERE organization_id = ${organizationId}::uuid AND external_id = ${externalId}
    FOR NO KEY UPDATE`;
  const before = await tx.usageRecord.findUnique({ where });
  const occurredAt = occurred_at === undefined ? (before?.occurredAt ?? now) : new Date(occurred_at);
  if (monthOf(occurredAt).end.getUTCFullYear() > 9999) {
    throw invalidField("body/occurred_at", "must be before December 9999");
  }
  if (!before) {
    const columns = { metric, quantity, occurredAt, createdAt: now, updatedAt: now };
    const row = await tx.usageRecord.create({ data: { organizationId, externalId, ...columns } });
    await addUsage(change, metric, occurredAt, quantity);
    return { row, result: "created" };
  }
  requireSame(metric, before.metric, "body/metric");
  if (monthOf(occurredAt).start.getTime() !== monthOf(before.occurredAt).start.getTime()) {
    throw invalidField(
      "body/occurred_at",
      "cannot move to another month. Set this record's quantity to 0 and create another record.",
    );
  }
  if (quantity === before.quantity && occurredAt.getTime() === before.occurredAt.getTime()) {
    return { row: before, result: "unchanged" };
  }
  const updatedAt = await timeOfChange(tx, now, before.updatedAt);
  const row = await tx.usageRecord.update({ where, data: { quantity, occurredAt, updatedAt } });
  await addUsage(change, metric, occurredAt, quantity - before.quantity);
  return { row, result: "updated" };
}
