import { Prisma, type Subscription, timeOfChange } from "@parley/database";
import { joinInOnePass } from "../log/join-in-one-pass.ts";
import { notifyChanged } from "../notifications.ts";
import { matchesRoute } from "../publish/matches-route.ts";
import { placeOf } from "../publish/ordering.ts";
import type { Change } from "../publish/publisher.ts";

/**
 * Time before the failure that is part of the gap: a transaction that began before the failure may commit after it,
 * with an event that has an earlier time.
 */
const slackMs = 60_000;

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

/** Part of a gap. */
interface GapPart {
  /** Start of the part. Default: start of the gap. */
  from?: Date | undefined;
  /** Maximum number of events in the part, plus those with the same time. Default: all. */
  limit?: number;
}

/**
 * Creates deliveries for the events of the gap, the time in which a subscription's status was `failed`. Each event gets one if it matches
 * the subscription now and, for events before the failure, matched it then. An unfilled gap is kept until a delivery succeeds.
 *
 * @param transaction holds the locks of the subscription and its queue. Events recorded at the same time are left out unless the
 *   change is exclusive
 * @returns number of deliveries created, and the start of the next part; null after the last
 */
export async function fillGap(
  { tx, organizationId }: Pick<Change, "tx" | "organizationId">,
  { id, gapFrom, ordering }: Pick<Subscription, "id" | "gapFrom" | "ordering">,
  { from, limit }: GapPart = {},
): Promise<{ deliveries: number; next: Date | null }> {
  if (!gapFrom) return { deliveries: 0, next: null };
  const beginning = new Date(gapFrom.getTime() - slackMs);
  const partBegins = from ?? beginning;
  const next = limit === undefined ? null : await timeAfter(tx, organizationId, partBegins, limit);
  await joinInOnePass(tx);
  // The row locks prevent remove-old-events.ts from removing these events at the same time.
  const deliveries = await tx.$executeRaw`
    INSERT INTO deliveries (organization_id, subscription_id, event_id, record_key, sequence)
    SELECT e.organization_id, ${id}::uuid, e.id, ${placeOf(ordering)}
    FROM events e JOIN subscription_routes route ON route.subscription_id = ${id}::uuid AND ${Prisma.raw(matchesRoute)}
    WHERE e.organization_id = ${organizationId}::uuid
      AND e.created_at >= ${partBegins}::timestamptz AND e.created_at < coalesce(${next}::timestamptz, 'infinity')
      AND (e.created_at >= ${gapFrom}::timestamptz OR e.created_at >= route.since)
      -- Only these events may be from before the failure.
      AND (e.created_at >= ${gapFrom}::timestamptz AND e.created_at >= route.since OR ${isInOrder(ordering, id, beginning)})
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.subscription_id = ${id}::uuid AND d.event_id = e.id)
      AND NOT EXISTS (
        -- A delivery that only failed was removed before its outcome was final, see limit-pending-deliveries.ts.
        SELECT 1 FROM delivery_attempts a
        WHERE a.subscription_id = ${id}::uuid AND a.event_id = e.id AND a.outcome <> 'failed'
          AND a.attempted_at >= ${beginning}::timestamptz - interval '1 minute' -- Tolerates small clock differences.
      )
    ORDER BY e.id
    FOR KEY SHARE OF e`;
  return { deliveries, next };
}

/** Returns whether no later event of the record of `e` was attempted, if the subscription receives them in order. */
function isInOrder(ordering: Subscription["ordering"], id: string, beginning: Date): Prisma.Sql {
  if (ordering === null) return Prisma.sql`true`;
  return Prisma.sql`NOT EXISTS (
    SELECT 1 FROM delivery_attempts a JOIN events later ON later.id = a.event_id
    WHERE a.subscription_id = ${id}::uuid AND a.attempted_at >= ${beginning}::timestamptz - interval '1 minute'
      AND later.sequence > e.sequence AND later.record_id = e.record_id)`;
}

/** Returns the time of the `count`-th event after a time; null if there are fewer. */
async function timeAfter(
  tx: Change["tx"],
  organizationId: string,
  from: Date,
  count: number,
): Promise<Date | null> {
  const event = await tx.event.findFirst({
    where: { organizationId, createdAt: { gt: from } },
    orderBy: { createdAt: "asc" },
    skip: count - 1,
    select: { createdAt: true },
  });
  return event?.createdAt ?? null;
}
