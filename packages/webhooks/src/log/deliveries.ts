import {
  type Database,
  type DeliveryAttempt,
  isUuid,
  literal,
  mostCounted,
  orderBy,
  type Page,
  Prisma,
  type Subscription,
  type Transaction,
} from "@parley/database";
import { lastPlace } from "../publish/ordering.ts";
import { joinInOnePass } from "./join-in-one-pass.ts";

/** Delivery, pending or finished. */
export interface DeliveryRow {
  id: string;
  organizationId: string;
  subscriptionId: string;
  eventId: string;
  eventType: string;
  test: boolean;
  /** Whether it was created after the outcome of an earlier delivery of the event. */
  redelivery: boolean;
  status: "pending" | "delivered" | "exhausted";
  attempts: number;
  /** Time of the next attempt; null unless pending. */
  nextAt: Date | null;
  createdAt: Date;
  /** Time of the last attempt or, for pending deliveries, of the creation. The list is sorted by it. */
  at: Date;
}

interface DeliveryFilter {
  organizationId: string;
  subscriptionId: string;
  status?: string | undefined;
  eventType?: string | undefined;
  /** Earliest time of the last attempt or, for pending deliveries, of the creation; RFC 3339. */
  since?: string | undefined;
  /** End of these times, exclusive; RFC 3339. */
  until?: string | undefined;
}

type Reader = Pick<Database, "$queryRaw">;

const order = orderBy("at", true);

/** Returns one page of a subscription's deliveries, latest first, with the total, of which at most {@link mostCounted} are counted. */
export async function listDeliveries(
  db: Reader,
  filter: DeliveryFilter,
  { limit, offset, after }: Page,
): Promise<{ rows: DeliveryRow[]; total: number; hasMore: boolean }> {
  const skipped = after ? 0 : offset;
  const wanted = literal(2 ** Math.ceil(Math.log2(Math.max(128, skipped + limit + 1))));
  const most = literal(mostCounted);
  const isAfter = after ? order.after(after) : Prisma.sql`true`;
  const all = (columns: Prisma.Sql) => ({
    finished: Prisma.sql`SELECT ${columns} FROM (SELECT ${finishedColumns} FROM delivery_attempts a WHERE ${finished(filter)}) AS f`,
    pending: Prisma.sql`SELECT ${columns} FROM (
      SELECT ${pendingColumns} FROM deliveries d JOIN events e ON e.id = d.event_id WHERE ${pending(filter)}) AS p`,
  });
  const rowsOf = all(Prisma.sql`*`);
  const counted = all(Prisma.empty);
  const [rows, [count]] = await Promise.all([
    // Each part of the UNION is limited to the rows that the page may need, so that only these rows are sorted together. The limit is
    // rounded up, so that there are few different statements.
    db.$queryRaw<DeliveryRow[]>`
      SELECT ${columns} FROM (
        (${rowsOf.finished} WHERE ${isAfter} ORDER BY ${order.forward} LIMIT ${wanted})
        UNION ALL
        (${rowsOf.pending} WHERE ${isAfter} ORDER BY ${order.forward} LIMIT ${wanted})
      ) AS one ORDER BY ${order.forward} LIMIT ${limit + 1} OFFSET ${skipped}`,
    // Sorted, so that PostgreSQL reads the index of the subscription. It would rather read the whole log for a few rows of it.
    db.$queryRaw<{ total: number }[]>`
      SELECT count(*)::int AS total FROM (
        (${counted.finished} ORDER BY at DESC LIMIT ${most}) UNION ALL (${counted.pending} LIMIT ${most}) LIMIT ${most}) AS counted`,
  ]);
  return { rows: rows.slice(0, limit), total: count?.total ?? 0, hasMore: rows.length > limit };
}

/** Finds a delivery of a subscription; null if it does not exist or is no longer stored. */
export async function findDelivery(
  db: Reader,
  filter: Pick<DeliveryFilter, "organizationId" | "subscriptionId">,
  id: string,
): Promise<DeliveryRow | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.$queryRaw<DeliveryRow[]>`
    SELECT ${columns} FROM (
      SELECT ${pendingColumns} FROM deliveries d JOIN events e ON e.id = d.event_id
      WHERE ${pending(filter)} AND d.id = ${id}::uuid
      UNION ALL
      SELECT ${finishedColumns} FROM delivery_attempts a WHERE ${finished(filter)} AND a.delivery_id = ${id}::uuid
    ) AS one ORDER BY at DESC LIMIT 1`;
  return row ?? null;
}

/** Returns the logged attempts of deliveries, in order, without their requests and responses. */
export async function attemptsOf(
  db: Pick<Database, "deliveryAttempt">,
  organizationId: string,
  deliveryIds: string[],
): Promise<Omit<DeliveryAttempt, "exchange">[]> {
  return db.deliveryAttempt.findMany({
    where: { organizationId, deliveryId: { in: deliveryIds } },
    omit: { exchange: true },
    orderBy: attemptOrder,
  });
}

/** Returns the logged attempts of a delivery, in order. */
export async function attemptDetailsOf(
  db: Pick<Database, "deliveryAttempt">,
  { organizationId, id }: Pick<DeliveryRow, "organizationId" | "id">,
): Promise<DeliveryAttempt[]> {
  return db.deliveryAttempt.findMany({ where: { organizationId, deliveryId: id }, orderBy: attemptOrder });
}

const attemptOrder = [{ attempt: "asc" as const }, { attemptedAt: "asc" as const }];

/**
 * Creates another delivery for each event of the matching finished deliveries, in the order of the events. Skips tests,
 * events that already have a pending delivery, and exhausted deliveries whose event was delivered later. The row locks
 * prevent remove-old-events.ts from removing the events at the same time.
 *
 * @returns number of new deliveries
 */
export async function redeliverRange(
  tx: Transaction,
  filter: DeliveryFilter & { since: string },
  ordering: Subscription["ordering"],
): Promise<number> {
  await joinInOnePass(tx);
  return tx.$executeRaw`
    INSERT INTO deliveries (organization_id, subscription_id, event_id, redelivery, record_key, sequence)
    SELECT e.organization_id, ${filter.subscriptionId}::uuid, e.id, true, ${lastPlace(ordering)}
    FROM events e
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
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.subscription_id = ${filter.subscriptionId}::uuid AND d.event_id = e.id)
    ORDER BY e.sequence
    FOR KEY SHARE OF e`;
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

const columns = Prisma.sql`id, organization_id AS "organizationId", subscription_id AS "subscriptionId", event_id AS "eventId",
  event_type AS "eventType", test, redelivery, status, attempts, next_at AS "nextAt", created_at AS "createdAt", at`;
const finishedColumns = Prisma.sql`a.delivery_id AS id, a.organization_id, a.subscription_id, a.event_id, a.event_type, a.test, a.redelivery,
  a.outcome AS status, a.attempt::int AS attempts, NULL::timestamptz AS next_at,
  uuid_extract_timestamp(a.delivery_id) AS created_at, a.attempted_at AS at`;
const pendingColumns = Prisma.sql`d.id, d.organization_id, d.subscription_id, d.event_id, e.type AS event_type, false AS test, d.redelivery,
  'pending' AS status, d.attempts::int AS attempts, d.next_at,
  uuid_extract_timestamp(d.id) AS created_at, uuid_extract_timestamp(d.id) AS at`;

function finished({
  organizationId,
  subscriptionId,
  status,
  eventType,
  since,
  until,
}: DeliveryFilter): Prisma.Sql {
  const all = [
    Prisma.sql`a.subscription_id = ${subscriptionId}::uuid`,
    Prisma.sql`a.organization_id = ${organizationId}::uuid`,
    status === undefined ? Prisma.sql`a.outcome <> 'failed'` : Prisma.sql`a.outcome = ${status}`,
  ];
  if (eventType !== undefined) all.push(Prisma.sql`a.event_type = ${eventType}`);
  if (since !== undefined) all.push(Prisma.sql`a.attempted_at >= ${since}::timestamptz`);
  if (until !== undefined) all.push(Prisma.sql`a.attempted_at < ${until}::timestamptz`);
  return Prisma.join(all, " AND ");
}

function pending({
  organizationId,
  subscriptionId,
  status,
  eventType,
  since,
  until,
}: DeliveryFilter): Prisma.Sql {
  const all = [
    Prisma.sql`d.subscription_id = ${subscriptionId}::uuid`,
    Prisma.sql`d.organization_id = ${organizationId}::uuid`,
  ];
  if (status !== undefined && status !== "pending") all.push(Prisma.sql`false`);
  if (eventType !== undefined) all.push(Prisma.sql`e.type = ${eventType}`);
  if (since !== undefined) all.push(Prisma.sql`uuid_extract_timestamp(d.id) >= ${since}::timestamptz`);
  if (until !== undefined) all.push(Prisma.sql`uuid_extract_timestamp(d.id) < ${until}::timestamptz`);
  return Prisma.join(all, " AND ");
}
