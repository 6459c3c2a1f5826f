import { type Database, Prisma, runChange, type Subscription } from "@parley/database";
import { countPending } from "../limits/count-pending.ts";
import { joinInOnePass } from "../log/join-in-one-pass.ts";
import { matchesRoute } from "../publish/matches-route.ts";
import { placeOf } from "../publish/ordering.ts";
import type { Change } from "../publish/publisher.ts";
import { lockSubscription } from "./lock-subscription.ts";

/**
 * Time before the failure that is part of the gap: a transaction that began before the failure may commit after it,
 * with an event that has an earlier time.
 */
const slackMs = 60_000;
/** Maximum number of events that one transaction examines. */
const mostExamined = 5_000;

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
      AND e.created_at >= ${partBegins}::timestamptz AND ${isBefore(next, ordering)}
      AND (e.created_at >= ${gapFrom}::timestamptz OR e.created_at >= route.since)
      -- Only these events may be from before the failure.
      AND (e.created_at >= ${gapFrom}::timestamptz AND e.created_at >= route.since OR ${isInOrder(ordering, id, beginning)})
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.subscription_id = ${id}::uuid AND d.event_id = e.id)
      -- A delivery that only failed was removed before its outcome was final, see limit-pending-deliveries.ts.
      AND NOT ${hasAttempt(Prisma.sql`e.id`, id, beginning, Prisma.sql`a.outcome <> 'failed'`)}
    ORDER BY e.id
    FOR KEY SHARE OF e`;
  return { deliveries, next };
}

/** Returns whether `e` is before a time or, if the subscription receives events in order, a later event of its record is. */
function isBefore(next: Date | null, ordering: Subscription["ordering"]): Prisma.Sql {
  if (next === null) return Prisma.sql`true`;
  const isEarlier = Prisma.sql`e.created_at < ${next}::timestamptz`;
  if (ordering === null) return isEarlier;
  // A change that waits for another change of its record has the earlier time and the later sequence.
  return Prisma.sql`e.created_at < ${next}::timestamptz + interval '1 minute' AND (${isEarlier} OR EXISTS (
    SELECT FROM events later
    WHERE later.organization_id = e.organization_id AND later.record_id = e.record_id AND later.sequence > e.sequence
      AND later.created_at >= ${next}::timestamptz - interval '1 minute' AND later.created_at < ${next}::timestamptz))`;
}

/** Returns whether no later event of the record of `e` was attempted, if the subscription receives them in order. */
function isInOrder(ordering: Subscription["ordering"], id: string, beginning: Date): Prisma.Sql {
  if (ordering === null) return Prisma.sql`true`;
  return Prisma.sql`NOT EXISTS (
    SELECT FROM events later
    WHERE later.organization_id = e.organization_id AND later.record_id = e.record_id AND later.sequence > e.sequence
      AND ${hasAttempt(Prisma.sql`later.id`, id, beginning)})`;
}

/**
 * Returns whether an event has an attempt since the beginning of the gap. The form makes PostgreSQL look up each event by its index, also before the
 * table is analyzed. With EXISTS, or with the subscription in WHERE, it may read all attempts since then for each event.
 */
function hasAttempt(
  event: Prisma.Sql,
  id: string,
  beginning: Date,
  condition = Prisma.sql`true`,
): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) FILTER (WHERE a.subscription_id = ${id}::uuid AND ${condition}) > 0 FROM delivery_attempts a
    WHERE a.event_id = ${event}
      AND a.attempted_at >= ${beginning}::timestamptz - interval '1 minute')`; // Tolerates small clock differences.
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

/** Returns whether the gap can be filled. An active subscription in order may have received later events of a record. */
export function canFillGap({
  status,
  ordering,
  fillingGap,
}: Pick<Subscription, "status" | "ordering" | "fillingGap">): boolean {
  return status === "failed" || ordering === null || fillingGap;
}

interface GapOptions {
  db: Database;
  /** Maximum number of pending deliveries of an organization; 0 for no limit. */
  maxPending: number;
  /** Whether the subscription may still be filled. Stops otherwise. */
  mayFill: (subscription: Subscription) => boolean;
  /** Time after which no further transaction begins. Default: no limit. */
  withinMs?: number;
}

/** Result of `fillGapInBatches`. */
export interface FilledGap {
  /** Number of deliveries created. */
  deliveries: number;
  /** Start of the gap that only has the latest events; null if there are more. */
  rest: Date | null;
}

/**
 * Fills the gap in short transactions, because it may contain millions of events. The gap becomes shorter with each. Stops when half of the
 * pending deliveries that the organization may have are pending, or the time is over. Finish with `finishGap`.
 */
export async function fillGapInBatches(
  { db, maxPending, mayFill, withinMs = Number.POSITIVE_INFINITY }: GapOptions,
  organizationId: string,
  id: string,
): Promise<FilledGap> {
  const most = await mostForGap(db, organizationId, id, maxPending);
  const deadline = performance.now() + withinMs;
  let deliveries = 0;
  let reached: { gapFrom: Date; from: Date } | undefined;
  while (deliveries < most && performance.now() < deadline) {
    const limit = Math.min(mostExamined, most - deliveries);
    const part = await runChange(db, organizationId, async (tx) => {
      const subscription = await lockSubscription(tx, organizationId, id);
      if (!subscription?.gapFrom || !mayFill(subscription)) return null;
      const { gapFrom } = subscription;
      // The limit of pending deliveries may have extended the gap in the meantime.
      const from = reached?.gapFrom.getTime() === gapFrom.getTime() ? reached.from : undefined;
      const filled = await fillGap({ tx, organizationId }, subscription, { from, limit });
      if (filled.next === null || filled.next <= gapFrom) return { ...filled, gapFrom };
      await tx.subscription.update({ where: { id }, data: { gapFrom: filled.next } });
      return { ...filled, gapFrom: filled.next };
    });
    if (part === null) break;
    deliveries += part.deliveries;
    if (part.next === null) return { deliveries, rest: part.gapFrom };
    reached = { gapFrom: part.gapFrom, from: part.next };
  }
  return { deliveries, rest: null };
}

/**
 * Returns how many deliveries may be created for the gap of a subscription: up to half of the limit, so that others stay far from it. A hundredth
 * is always possible, so that the pending deliveries of other subscriptions do not stop this one.
 */
async function mostForGap(
  db: Pick<Database, "$queryRaw">,
  organizationId: string,
  id: string,
  maxPending: number,
): Promise<number> {
  if (maxPending === 0) return Number.POSITIVE_INFINITY;
  const half = Math.ceil(maxPending / 2);
  const hundredth = Math.ceil(maxPending / 100);
  const all = await countPending(db, organizationId, half);
  const ownPending = await countPending(db, organizationId, hundredth, id);
  return Math.max(half - all, hundredth - ownPending);
}

/**
 * Creates deliveries for the rest of the gap, which then ends. If the gap has more than the latest events, marks the subscription instead, so that
 * new events join the gap and `fillGaps` continues.
 *
 * @param change an exclusive change that holds the locks of the subscription and its queue
 * @returns number of deliveries created
 */
export async function finishGap(
  change: Pick<Change, "tx" | "organizationId">,
  subscription: Subscription,
  { rest }: FilledGap,
): Promise<number> {
  const { id, gapFrom } = subscription;
  const isRest = gapFrom === null || (rest !== null && gapFrom >= rest);
  const deliveries = isRest ? (await fillGap(change, subscription)).deliveries : 0;
  const data = isRest ? { gapFrom: null, fillingGap: false } : { fillingGap: true };
  await change.tx.subscription.update({ where: { id }, data });
  return deliveries;
}
