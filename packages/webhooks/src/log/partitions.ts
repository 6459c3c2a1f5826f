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
