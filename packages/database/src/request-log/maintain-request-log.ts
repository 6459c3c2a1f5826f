import type { Pool } from "pg";
import { maintainLogPartitions } from "../log-partitions.ts";

/** Retention of the counts in days while the log is switched off. */
const daysWithoutLog = 7;
const batch = 1_000;

/**
 * Creates and drops partitions of the request log, and deletes old counts.
 *
 * @param keepDays retention in days; 0 if the log is switched off
 */
export async function maintainRequestLog(db: Pick<Pool, "query">, keepDays: number): Promise<void> {
  await maintainLogPartitions(db, "api_requests", keepDays);
  for (let deleted = batch; deleted === batch; ) {
    const { rowCount } = await db.query(
      `DELETE FROM api_request_counts WHERE (organization_id, minute) IN (
         SELECT organization_id, minute FROM api_request_counts WHERE minute < current_date - $2::int LIMIT $1)`,
      [batch, keepDays || daysWithoutLog],
    );
    deleted = rowCount ?? 0;
  }
}
