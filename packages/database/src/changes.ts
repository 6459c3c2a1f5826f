import type { Database, Transaction } from "./client.ts";
import { Prisma } from "./generated/client.ts";
import { repeatOnConflict } from "./unavailable.ts";

/** Class of these advisory locks; an arbitrary number. */
const lockClass = 20_240_101;
const longestChangeMs = 5_000;
const longestWaitForOthersMs = 2_000;

export interface ChangeOptions {
  /** Whether no other change of the organization may run at the same time. Changes then wait for each other. */
  exclusive?: boolean;
  /** Longest time to wait for others if exclusive, in milliseconds. New changes wait during this time too. Default: 2,000. */
  longestWaitMs?: number;
  /** Timeout of the transaction in milliseconds. Default: 5,000. */
  timeoutMs?: number;
}

/**
 * Runs a change of an organization's records in one transaction. Changes run concurrently. If a change fails because of a concurrent
 * one, it runs again, once.
 *
 * @param make receives the time of the change by the database's clock, for `updated_at`
 * @throws an error for which `isDatabaseUnavailable` is true, if the change takes too long
 */
export async function runChange<Result>(
  db: Database,
  organizationId: string,
  make: (tx: Transaction, now: Date) => Promise<Result>,
  {
    exclusive = false,
    longestWaitMs = longestWaitForOthersMs,
    timeoutMs = longestChangeMs,
  }: ChangeOptions = {},
): Promise<Result> {
  return repeatOnConflict(() => inTransaction(db, timeoutMs, (tx) => begin(tx)), 1);

  async function begin(tx: Transaction): Promise<Result> {
    // Other statements of a connection may have a shorter timeout.
    if (timeoutMs > longestChangeMs) await tx.$queryRaw`SELECT set_config('statement_timeout', '0', true)`;
    if (exclusive) await waitForOthers(tx, organizationId, longestWaitMs, timeoutMs);
    // The timeout must be set before the lock is taken, so the lock depends on its row. The time must be read after the
    // lock is taken.
    const [begun] = await tx.$queryRaw<[{ now: Date }]>`
      SELECT date_trunc('milliseconds', clock_timestamp()) AS now, set_config('lock_timeout', '0', true)
      FROM set_config('transaction_timeout', ${`${timeoutMs}ms`}, true) AS timeout,
        LATERAL (SELECT pg_advisory_xact_lock_shared(${lockClass}::int, hashtext(${organizationId}))::text
                 WHERE timeout <> '') AS lock`;
    return make(tx, begun.now);
  }
}

/**
 * Returns a time such that the next statement sees every change of the organization with an earlier `updated_at`, and no such change can
 * be committed later. It is the start of the oldest running change, or now. Takes no lock and waits for nothing.
 *
 * @returns ISO 8601 with milliseconds, like `updated_at`
 */
export async function visibleUntil(db: Pick<Database, "select">, organizationId: string): Promise<string> {
  // A change takes the lock before it reads its time, and is visible before it releases the lock. So changes that do not hold the
  // lock yet get a later time than now(), the start of this statement, and changes that no longer hold it are visible.
  const [row] = await db.select<{ until: string; unreadable: boolean }>(Prisma.sql`
    SELECT to_char(least(now(), min(xact_start)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS until,
           coalesce(bool_or(state IS NULL), false) AS unreadable
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = ${lockClass}::oid
      AND objid = (hashtext(${organizationId})::bigint & 4294967295)::oid
      AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  if (!row || row.unreadable) {
    throw new Error(
      "Parley's processes must connect to PostgreSQL as one role, or as members of pg_read_all_stats.",
    );
  }
  return row.until;
}

/** Takes the exclusive lock, with a short timeout, because other changes wait too. */
async function waitForOthers(
  tx: Transaction,
  organizationId: string,
  longestWaitMs: number,
  timeoutMs: number,
): Promise<void> {
  await tx.$queryRaw`
    SELECT set_config('lock_timeout', ${`${longestWaitMs}ms`}, true),
           set_config('transaction_timeout', ${`${timeoutMs}ms`}, true)`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${lockClass}::int, hashtext(${organizationId}))`;
}

/**
 * Runs a transaction. PostgreSQL's `transaction_timeout` ends it if it takes too long. Prisma's timeout is longer, because Prisma would
 * release the connection while a statement is still running.
 */
function inTransaction<Result>(
  db: Database,
  timeoutMs: number,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.$transaction(run, { timeout: 2 * timeoutMs + 5_000 });
}

/** Returns the time by the database's clock, in whole milliseconds. Read it after a lock, since the time of a change may be before that of a change that it waited for. */
export async function timeNow(tx: Transaction): Promise<Date> {
  const [row] = await tx.$queryRaw<
    [{ now: Date }]
  >`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  return row.now;
}

const longestWaitMs = 1_000;

/**
 * Returns the time of the next change of a record: at least one millisecond after its last one. If that is in the future, waits for the
 * clock (at most a second, in case the clock was set back), so that no later change of another record gets an earlier time.
 */
export async function timeOfChange(tx: Transaction, now: Date, last: Date): Promise<Date> {
  const ahead = last.getTime() + 1 - now.getTime();
  if (ahead <= 0) return now;
  const time = new Date(last.getTime() + 1);
  await tx.$executeRaw`
    SELECT pg_sleep(least(${longestWaitMs / 1000}::float8,
      greatest(0, extract(epoch FROM ${time.toISOString()}::timestamptz - clock_timestamp()))))`;
  return time;
}
