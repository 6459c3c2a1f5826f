/** Subscriptions that receive the events of each record in order. */
import { Prisma, type Subscription, type Transaction } from "@parley/database";

type Ordering = Subscription["ordering"];

const nextNumber = Prisma.sql`nextval(pg_get_serial_sequence('events', 'sequence'))`;

/** Returns the columns `record_key` and `sequence` of a delivery of the event `e`, at the place of the event. */
export function placeOf(ordering: Ordering): Prisma.Sql {
  return columns(ordering, Prisma.sql`e.sequence`);
}

/** Returns these columns for a delivery after all others of the record. */
export function lastPlace(ordering: Ordering): Prisma.Sql {
  return columns(ordering, nextNumber);
}

function columns(ordering: Ordering, sequence: Prisma.Sql): Prisma.Sql {
  return ordering === null ? Prisma.sql`NULL::uuid, NULL::bigint` : Prisma.sql`e.record_id, ${sequence}`;
}

/** Maximum number of pending deliveries that `orderPending` changes, so that the organization's changes do not wait for long. */
export const mostOrdered = 10_000;

/**
 * Gives pending deliveries that have no place the place of their event, and redeliveries the last place, when a subscription begins to receive
 * events in order.
 *
 * @param tx an exclusive change, so that no event is recorded at the same time
 * @returns false if more than `mostOrdered` are pending; then nothing is changed
 */
export async function orderPending(tx: Transaction, subscriptionId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<[{ isFew: boolean }]>`
    SELECT count(*) <= ${mostOrdered} AS "isFew" FROM (
      SELECT 1 FROM deliveries WHERE subscription_id = ${subscriptionId}::uuid LIMIT ${mostOrdered + 1}) AS pending`;
  if (!row.isFew) return false;
  await tx.$executeRaw`
    UPDATE deliveries d SET record_key = e.record_id,
      sequence = CASE WHEN d.redelivery THEN ${nextNumber} ELSE e.sequence END
    FROM events e WHERE d.subscription_id = ${subscriptionId}::uuid AND d.record_key IS NULL AND e.id = d.event_id`;
  return true;
}
