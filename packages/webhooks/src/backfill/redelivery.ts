/** Redeliveries of a range. A job searches the delivery log in pieces, so that neither the request nor other changes wait. */
import {
  type Database,
  Prisma,
  type Redelivery,
  type Subscription,
  type Transaction,
} from "@parley/database";
import { NIL } from "uuid";
import { lastPlace } from "../publish/ordering.ts";

/** Which finished deliveries of a subscription to redeliver. */
export type RedeliveryRange = Pick<
  Redelivery,
  "organizationId" | "subscriptionId" | "status" | "eventType" | "since" | "until"
>;

/** Maximum number of unfinished redeliveries of a subscription. */
export const mostUnfinished = 10;
/** Number of redeliveries of a subscription that are kept. */
const mostKept = 100;

/**
 * Stores a redelivery, which the job then executes.
 *
 * @returns null if the subscription has `mostUnfinished` unfinished ones
 */
export async function createRedelivery(tx: Transaction, range: RedeliveryRange): Promise<Redelivery | null> {
  const { subscriptionId, since } = range;
  const unfinished = await tx.redelivery.count({ where: { subscriptionId, finishedAt: null } });
  if (unfinished >= mostUnfinished) return null;
  await tx.$executeRaw`
    DELETE FROM redeliveries WHERE finished_at IS NOT NULL AND id = ANY (ARRAY(
      SELECT id FROM redeliveries WHERE subscription_id = ${subscriptionId}::uuid ORDER BY id DESC OFFSET ${mostKept - 1}))`;
  return tx.redelivery.create({ data: { ...range, searchedAt: since, searchedId: NIL } });
}

/** Place in the delivery log after which the search continues. */
type Place = Pick<Redelivery, "searchedAt" | "searchedId">;

/**
 * SQL of two queries: `slice`, the next attempts of the range, and `chosen`, those whose events are redelivered. An event is chosen at its last
 * matching attempt, so once; if exhausted, only if it was not delivered later. Leaves out tests and events with a pending delivery.
 */
function nextAttempts(
  { organizationId, subscriptionId, status, eventType, until }: RedeliveryRange,
  { searchedAt, searchedId }: Place,
  most: number,
): Prisma.Sql {
  const id = Prisma.sql`${subscriptionId}::uuid`;
  const isOfType = eventType === null ? Prisma.empty : Prisma.sql`AND a.event_type = ${eventType}`;
  return Prisma.sql`
    slice AS MATERIALIZED (
      SELECT a.* FROM delivery_attempts a
      WHERE a.subscription_id = ${id} AND a.organization_id = ${organizationId}::uuid
        AND a.attempted_at >= ${searchedAt}::timestamptz AND a.attempted_at < ${until}::timestamptz
        AND (a.attempted_at, a.delivery_id) > (${searchedAt}::timestamptz, ${searchedId}::uuid)
      ORDER BY a.attempted_at, a.delivery_id LIMIT ${most}
    ), chosen AS (
      SELECT a.event_id, a.attempted_at, a.delivery_id FROM slice a
      WHERE a.outcome = ${status} AND NOT a.test ${isOfType}
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = a.event_id AND d.subscription_id = ${id})
        -- With the subscription in FILTER, PostgreSQL looks up each event by its index, also before the table is analyzed.
        AND (SELECT count(*) FILTER (WHERE later.subscription_id = ${id} AND NOT later.test
               AND (later.attempted_at, later.delivery_id) > (a.attempted_at, a.delivery_id)
               AND (later.outcome = a.outcome AND later.attempted_at < ${until}::timestamptz OR later.outcome = 'delivered'))
             FROM delivery_attempts later
             WHERE later.event_id = a.event_id AND later.attempted_at >= a.attempted_at) = 0
    )`;
}

/** Maximum number of attempts that one transaction examines. */
const mostExamined = 2_000;

/**
 * Continues a redelivery: creates another delivery for each event that is chosen among the next attempts, in the order of these attempts. Finishes
 * after the last one.
 *
 * @param tx a change: the options of the subscription don't change at the same time
 * @returns number of deliveries created
 */
export async function redeliverPiece(
  tx: Transaction,
  redelivery: Redelivery,
  ordering: Subscription["ordering"],
): Promise<number> {
  const { id, organizationId, subscriptionId } = redelivery;
  const [piece] = await tx.$queryRaw<[Place & { examined: number; deliveries: number }]>`
    WITH ${nextAttempts(redelivery, redelivery, mostExamined)}, created AS (
      INSERT INTO deliveries (organization_id, subscription_id, event_id, redelivery, record_key, sequence)
      SELECT e.organization_id, ${subscriptionId}::uuid, e.id, true, ${lastPlace(ordering)}
      FROM chosen JOIN events e ON e.id = chosen.event_id AND e.organization_id = ${organizationId}::uuid
      ORDER BY chosen.attempted_at, chosen.delivery_id
      FOR KEY SHARE OF e -- Prevents remove-old-events.ts from removing the events at the same time.
      RETURNING id
    )
    SELECT (SELECT count(*)::int FROM slice) AS examined, (SELECT count(*)::int FROM created) AS deliveries,
           last.attempted_at AS "searchedAt", last.delivery_id AS "searchedId"
    FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
      SELECT attempted_at, delivery_id FROM slice ORDER BY attempted_at DESC, delivery_id DESC LIMIT 1) AS last ON true`;
  const { examined, deliveries, searchedAt, searchedId } = piece;
  const isFinished = examined < mostExamined;
  await tx.redelivery.update({
    where: { id },
    data: {
      deliveries: { increment: deliveries },
      ...(isFinished ? { finishedAt: new Date(), searchedAt: redelivery.until } : { searchedAt, searchedId }),
    },
  });
  return deliveries;
}

/** Maximum number of attempts that are examined for a preview. */
const mostPreviewed = 20_000;

/** What a redelivery would do now. */
export interface RedeliveryPreview {
  deliveries: number;
  /** Whether the range has more attempts than were examined. */
  hasMore: boolean;
}

/** Counts the deliveries that a redelivery would create for the first attempts of the range. */
export async function previewRedelivery(
  db: Pick<Database, "$queryRaw">,
  range: RedeliveryRange,
): Promise<RedeliveryPreview> {
  const beginning = { searchedAt: range.since, searchedId: NIL };
  const [row] = await db.$queryRaw<[RedeliveryPreview]>`
    WITH ${nextAttempts(range, beginning, mostPreviewed)}
    SELECT (SELECT count(*)::int FROM chosen JOIN events e ON e.id = chosen.event_id) AS deliveries,
           (SELECT count(*) = ${mostPreviewed} FROM slice) AS "hasMore"`;
  return row;
}
