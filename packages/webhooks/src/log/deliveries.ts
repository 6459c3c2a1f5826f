import {
  type Database,
  type DeliveryAttempt,
  isUuid,
  literal,
  mostCounted,
  orderBy,
  type Page,
  Prisma,
} from "@parley/database";
import {
  columns,
  type DeliveryFilter,
  type DeliveryRow,
  finished,
  finishedColumns,
  pending,
  pendingColumns,
} from "./delivery-rows.ts";

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
    // rounded up, so that there are few different statements. The ID of a pending delivery begins with its time.
    db.$queryRaw<DeliveryRow[]>`
      SELECT ${columns} FROM (
        (${rowsOf.finished} WHERE ${isAfter} ORDER BY ${order.forward} LIMIT ${wanted})
        UNION ALL
        (${rowsOf.pending} WHERE ${isAfter} ORDER BY id DESC LIMIT ${wanted})
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
