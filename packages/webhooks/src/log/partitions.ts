import type { Pool } from "pg";

const daysAhead = 7;

/**
 * Makes room in the delivery log for the coming days and drops the days that are older than `keepDays`.
 * Dropping a day is one short lock, however many attempts it holds.
 */
export async function maintainDeliveryLog(db: Pool, keepDays: number): Promise<void> {
  await db.query("SELECT parley_add_log_days(current_date, $1)", [daysAhead]);
  await db.query("SELECT parley_drop_log_days(current_date - $1::int)", [keepDays]);
}

/**
 * Removes deliveries whose subscription is gone: an event that was being recorded while its subscription was deleted
 * may leave one behind. An event keeps no foreign key on its deliveries, see schema.prisma.
 *
 * @returns how many there were
 */
export async function removeOrphanedDeliveries(db: Pool): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM deliveries d WHERE NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = d.subscription_id)`,
  );
  return rowCount ?? 0;
}
