import type { Pool } from "pg";

const daysAhead = 7;

/**
 * Creates the partitions of the delivery log for the next days and drops those older than `keepDays`. Dropping a partition takes one
 * short lock, however many attempts it contains.
 */
export async function maintainDeliveryLog(db: Pool, keepDays: number): Promise<void> {
  await db.query("SELECT parley_add_log_days(current_date, $1)", [daysAhead]);
  await db.query("SELECT parley_drop_log_days(current_date - $1::int)", [keepDays]);
}
