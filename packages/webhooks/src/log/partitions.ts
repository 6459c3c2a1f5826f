import type { Pool } from "pg";

const daysAhead = 7;
const batch = 1_000;

/**
 * Creates the partitions of the delivery log for the next days, and drops those older than `keepDays` with their counts. Dropping a
 * partition takes one short lock, however many attempts it contains.
 */
export async function maintainDeliveryLog(db: Pool, keepDays: number): Promise<void> {
  await db.query("SELECT parley_add_log_days(current_date, $1)", [daysAhead]);
  await db.query("SELECT parley_drop_log_days(current_date - $1::int)", [keepDays]);
  await removeOldCounts(db, keepDays);
}

/** Removes the counts of these days in batches. Reads the first counts of each subscription, so that the cost does not depend on the others. */
async function removeOldCounts(db: Pool, keepDays: number): Promise<void> {
  for (let removed = batch; removed === batch; ) {
    const { rowCount } = await db.query(
      `DELETE FROM delivery_counts WHERE (subscription_id, hour) IN (
         SELECT old.subscription_id, old.hour FROM subscriptions s CROSS JOIN LATERAL (
           SELECT subscription_id, hour FROM delivery_counts c
           WHERE c.subscription_id = s.id AND c.hour < current_date - $1::int ORDER BY hour LIMIT $2
         ) AS old LIMIT $2)`,
      [keepDays, batch],
    );
    removed = rowCount ?? 0;
  }
}
