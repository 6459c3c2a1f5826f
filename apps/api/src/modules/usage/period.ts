import { messagesPerMonth, type Plan, type Schemas } from "@parley/contract";
import type { Change } from "@parley/webhooks";

/** Shares of the plan's allowance, in percent, for which `usage.threshold_reached` is published. */
const thresholds = [80, 100] as const;

/** Returns the calendar month of a time in UTC. The end is the start of the next month. */
export function monthOf(time: Date): { start: Date; end: Date } {
  return { start: firstOfMonth(time, 0), end: firstOfMonth(time, 1) };
}

/** Returns the first of a month. Does not use `Date.UTC`, which maps the year 50 to 1950. */
function firstOfMonth(time: Date, monthsLater: number): Date {
  const first = new Date(0);
  first.setUTCFullYear(time.getUTCFullYear(), time.getUTCMonth() + monthsLater, 1);
  return first;
}

/**
 * Adds to the sum of a month. Publishes `usage.threshold_reached` for each threshold that the sum reaches for the first time in
 * that month.
 *
 * @param quantity negative to reduce the sum; thresholds are not published again after that
 */
export async function addUsage(
  change: Change,
  metric: Schemas["UsageMetric"],
  occurredAt: Date,
  quantity: number,
): Promise<void> {
  const { tx, organizationId, publish } = change;
  const { start, end } = monthOf(occurredAt);
  const period = await addToPeriod(change, metric, start, quantity);
  const { plan } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { plan: true },
  });
  const allowance = messagesPerMonth[plan as Plan];
  const reached = thresholds.filter(
    (percent) => period.used * 100 >= allowance * percent && !period.announced.includes(percent),
  );
  if (reached.length === 0) return;
  await tx.usagePeriod.update({ where: { id: period.id }, data: { announced: { push: reached } } });
  for (const percent of reached) {
    const attributes = {
      metric,
      period_start: start.toISOString(),
      period_end: end.toISOString(),
      allowance,
      used: period.used,
      threshold_percent: percent,
    };
    const data = { id: period.id, type: "usage" as const, attributes };
    publish({ type: "usage.threshold_reached", chatbotId: null, data });
  }
}

/**
 * Adds to the row of a month, which stays locked until the commit, so that a threshold is reached only once. A negative
 * quantity never creates the row, but the check constraint checks the inserted value before the conflict is handled.
 */
async function addToPeriod(
  { tx, organizationId }: Change,
  metric: string,
  start: Date,
  quantity: number,
): Promise<{ id: string; used: number; announced: number[] }> {
  const [period] = await tx.$queryRaw<{ id: string; used: number; announced: number[] }[]>`
    INSERT INTO usage_periods AS month (organization_id, metric, period_start, used)
    VALUES (${organizationId}::uuid, ${metric}, ${start.toISOString()}::timestamptz, greatest(${quantity}::int, 0))
    ON CONFLICT (organization_id, metric, period_start) DO UPDATE SET used = month.used + ${quantity}::int
    RETURNING id, used::float8 AS used, announced`;
  if (!period) throw new Error("the month was not written");
  return period;
}
