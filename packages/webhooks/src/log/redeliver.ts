import {
  type Database,
  isStatementCanceled,
  literal,
  Prisma,
  type Subscription,
  type Transaction,
} from "@parley/database";
import { lastPlace } from "../publish/ordering.ts";
import { type DeliveryFilter, type DeliveryRow, finished } from "./delivery-rows.ts";
import { joinInOnePass } from "./join-in-one-pass.ts";

/** Finished deliveries of a subscription to redeliver. */
export type RedeliveryFilter = DeliveryFilter & { since: string };

/** Deliveries that `redeliverRange` created. */
export interface Redeliveries {
  count: number;
  /** IDs of the first and the last one; null if there are none. */
  first: string | null;
  last: string | null;
}

/**
 * Creates another delivery for each event of the matching finished deliveries, in the order of the events. Skips tests,
 * events that already have a pending delivery, and exhausted deliveries whose event was delivered later. The row locks
 * prevent remove-old-events.ts from removing the events at the same time.
 */
export async function redeliverRange(
  tx: Transaction,
  filter: RedeliveryFilter,
  ordering: Subscription["ordering"],
): Promise<Redeliveries> {
  await joinInOnePass(tx);
  const [created] = await tx.$queryRaw<[Redeliveries]>`
    WITH created AS (
      INSERT INTO deliveries (organization_id, subscription_id, event_id, redelivery, record_key, sequence)
      SELECT e.organization_id, ${filter.subscriptionId}::uuid, e.id, true, ${lastPlace(ordering)}
      ${eventsOf(filter)}
      ORDER BY e.sequence
      FOR KEY SHARE OF e
      RETURNING id
    )
    SELECT count(*)::int AS count, min(id::text) AS first, max(id::text) AS last FROM created`;
  return created;
}

/**
 * Counts the deliveries that `redeliverRange` would create for the same filter.
 *
 * @param longestMs longest time for counting, in milliseconds
 * @returns null if counting takes longer
 */
export async function countRedeliverable(
  db: Database,
  filter: RedeliveryFilter,
  longestMs = 5_000,
): Promise<number | null> {
  try {
    return await db.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT set_config('statement_timeout', ${`${longestMs}ms`}, true)`;
        await joinInOnePass(tx);
        const [row] = await tx.$queryRaw<
          [{ count: number }]
        >`SELECT count(*)::int AS count ${eventsOf(filter)}`;
        return row.count;
      },
      { timeout: 2 * longestMs + 5_000 },
    );
  } catch (error) {
    if (isStatementCanceled(error)) return null;
    throw error;
  }
}

/** The FROM and WHERE clauses of the events to redeliver. */
function eventsOf(filter: RedeliveryFilter): Prisma.Sql {
  return Prisma.sql`FROM events e
    WHERE e.organization_id = ${filter.organizationId}::uuid
      AND e.id IN (
        -- Grouped in one pass, because a self-join of a long log takes minutes.
        SELECT a.event_id FROM delivery_attempts a
        WHERE a.subscription_id = ${filter.subscriptionId}::uuid AND a.attempted_at >= ${filter.since}::timestamptz
          AND NOT a.test
        GROUP BY a.event_id
        HAVING max(a.attempted_at) FILTER (WHERE ${finished(filter)})
          >= max(a.attempted_at) FILTER (WHERE a.outcome = 'delivered' AND ${filter.status} = 'exhausted' OR ${finished(filter)})
      )
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.subscription_id = ${filter.subscriptionId}::uuid AND d.event_id = e.id)`;
}

/** Maximum number of pending deliveries of a subscription that are counted for the console. */
export const mostPendingCounted = 10_000;

/** Returns how many of the deliveries that `redeliverRange` created are pending, at most `mostPendingCounted`. */
export async function redeliveryProgress(
  db: Pick<Database, "select">,
  { organizationId, subscriptionId }: Pick<DeliveryFilter, "organizationId" | "subscriptionId">,
  { first, last }: { first: string; last: string },
): Promise<number> {
  const [row] = await db.select<{ pending: number }>(Prisma.sql`
    SELECT count(*)::int AS pending FROM (
      SELECT 1 FROM deliveries
      WHERE subscription_id = ${subscriptionId}::uuid AND organization_id = ${organizationId}::uuid
        AND id BETWEEN ${first}::uuid AND ${last}::uuid AND redelivery
      LIMIT ${literal(mostPendingCounted)}) AS counted`);
  return row?.pending ?? 0;
}

/** Creates another delivery of an event, after all others of its record, and returns its ID; null if the event is no longer stored. */
export async function redeliverEvent(
  tx: Transaction,
  { organizationId, subscriptionId, eventId }: DeliveryRow,
  ordering: Subscription["ordering"],
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO deliveries (organization_id, subscription_id, event_id, redelivery, record_key, sequence)
    SELECT organization_id, ${subscriptionId}::uuid, id, true, ${lastPlace(ordering)} FROM events e
    WHERE id = ${eventId}::uuid AND organization_id = ${organizationId}::uuid
    FOR KEY SHARE
    RETURNING id`;
  return row?.id ?? null;
}
