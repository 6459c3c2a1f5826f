import { setTimeout as sleep } from "node:timers/promises";
import pg, { type Pool } from "pg";

/** Tables that are partitioned by day. */
export type Log = "delivery_attempts" | "api_requests";

const daysAhead = 7;
const mostTries = 5;
const lockNotAvailable = "55P03";

/**
 * Creates the partitions of a log for the next days and drops those older than `keepDays`. Dropping a partition takes one short lock,
 * however many rows it contains. A log that another session locks, for example a dump, is left for the next call, unless that is late.
 *
 * @param pauseMs time between two tries
 * @throws if the log is locked, and has no partition for tomorrow or one that is a day too old
 */
export async function maintainLogPartitions(
  db: Pick<Pool, "query">,
  log: Log,
  keepDays: number,
  { pauseMs = 1_000 } = {},
): Promise<void> {
  const call = (statement: string, days: number) =>
    retryLocked(() => db.query(statement, [log, days]), pauseMs);
  const added = await call("SELECT parley_add_log_days($1, current_date, $2)", daysAhead);
  const dropped = await call("SELECT parley_drop_log_days($1, current_date - $2::int)", keepDays);
  if (!(added && dropped) && (await isLate(db, log, keepDays)))
    throw new Error(`the partitions of ${log} cannot be changed, because another session locks the table`);
}

/** @returns whether the change was made; false if the table stays locked */
async function retryLocked(change: () => Promise<unknown>, pauseMs: number): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      await change();
      return true;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable) throw error;
    }
    if (tries === mostTries) return false;
    await sleep(pauseMs);
  }
}

async function isLate(db: Pick<Pool, "query">, log: Log, keepDays: number): Promise<boolean> {
  const { rows } = await db.query<{ late: boolean }>(
    `SELECT to_regclass($1 || '_' || to_char(current_date + 1, 'YYYYMMDD')) IS NULL OR EXISTS (
       SELECT FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
       WHERE inhparent = $1::regclass AND child.relname ~ '_[0-9]{8}$'
         AND to_date(right(child.relname, 8), 'YYYYMMDD') < current_date - $2::int - 1) AS late`,
    [log, keepDays],
  );
  return rows[0]?.late ?? false;
}
