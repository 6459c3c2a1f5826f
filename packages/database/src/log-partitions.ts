import type { Pool } from "pg";

/** Tables that are partitioned by day. */
export type Log = "delivery_attempts" | "api_requests";

const daysAhead = 7;

/**
 * Creates the partitions of a log for the next days and drops those older than `keepDays`. Dropping a partition takes one short lock,
 * however many rows it contains.
 */
export async function maintainLogPartitions(
  db: Pick<Pool, "query">,
  log: Log,
  keepDays: number,
): Promise<void> {
  await db.query("SELECT parley_add_log_days($1, current_date, $2)", [log, daysAhead]);
  await db.query("SELECT parley_drop_log_days($1, current_date - $2::int)", [log, keepDays]);
}
