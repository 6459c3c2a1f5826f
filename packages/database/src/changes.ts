import type { Database, Transaction } from "./client.ts";

/** Separates these advisory locks from others in the database; any number will do. */
const lockClass = 20_240_101;
const longestChangeMs = 5_000;
const longestWaitForOthers = "2s";

export interface ChangeOptions {
  /** Whether no other change of the organization may run at the same time. The change waits for others, and they for it. */
  exclusive?: boolean;
  /** How long it may take, in milliseconds. Default: 5,000. */
  timeoutMs?: number;
}

/**
 * Runs a change of an organization's records in one transaction. Changes run concurrently; only a reader that must not miss
 * one waits for them, see `seeAllChanges`.
 *
 * @param make receives the time of the change by the database's clock, for `updated_at`
 * @throws an error for which `isDatabaseUnavailable` is true, if the change takes too long
 */
export async function runChange<Result>(
  db: Database,
  organizationId: string,
  make: (tx: Transaction, now: Date) => Promise<Result>,
  { exclusive = false, timeoutMs = longestChangeMs }: ChangeOptions = {},
): Promise<Result> {
  return inTransaction(db, timeoutMs, async (tx) => {
    if (exclusive) await waitForOthers(tx, organizationId, timeoutMs);
    // The lock follows the time-out, on whose row it depends; the time follows the lock.
    const [begun] = await tx.$queryRaw<[{ now: Date }]>`
      SELECT date_trunc('milliseconds', clock_timestamp()) AS now, set_config('lock_timeout', '0', true)
      FROM set_config('transaction_timeout', ${`${timeoutMs}ms`}, true) AS timeout,
        LATERAL (SELECT pg_advisory_xact_lock_shared(${lockClass}::int, hashtext(${organizationId}))::text
                 WHERE timeout <> '') AS lock`;
    return make(tx, begun.now);
  });
}

/**
 * Reads in a transaction while no change of the organization is running. It waits for those that are (at most two seconds:
 * then it throws an error for which `isDatabaseUnavailable` is true), and new ones wait until it has read. The result
 * holds every change up to the latest `updated_at` in it: no change with an earlier time can still commit.
 */
export async function seeAllChanges<Result>(
  db: Database,
  organizationId: string,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, longestChangeMs, async (tx) => {
    await waitForOthers(tx, organizationId, longestChangeMs);
    return read(tx);
  });
}

/** Others wait meanwhile, so it must not take long: a reader can come again. */
async function waitForOthers(tx: Transaction, organizationId: string, timeoutMs: number): Promise<void> {
  await tx.$queryRaw`
    SELECT set_config('lock_timeout', ${longestWaitForOthers}, true),
           set_config('transaction_timeout', ${`${timeoutMs}ms`}, true)`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${lockClass}::int, hashtext(${organizationId}))`;
}

/**
 * PostgreSQL's `transaction_timeout` ends what takes too long, so that nothing of it can be committed later. Prisma's limit is
 * longer: Prisma would give the connection back while a statement still runs.
 */
function inTransaction<Result>(
  db: Database,
  timeoutMs: number,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.$transaction(run, { timeout: 2 * timeoutMs + 5_000 });
}

const longestWaitMs = 1_000;

/**
 * Returns the time of the next change of a record: at least one millisecond after its last. If that is in the future, it
 * waits for the clock (at most a second, in case the clock was set back), because a change of another record after the
 * commit must not get an earlier time.
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
