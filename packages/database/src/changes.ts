import type { Transaction } from "./client.ts";

/** Sets these locks apart from others in the database; any number will do. */
const lockClass = 20_240_101;

/**
 * Begins a change of an organization's records: call it first in the transaction. Changes go side by side; only a
 * reader that must not miss one waits for those that are under way, see `seeAllChanges`.
 *
 * @param alone whether the change must see all others: it waits for them, and they for it
 * @returns the time of the change by the database's clock, for `updated_at`
 */
export async function beginChange(tx: Transaction, organizationId: string, alone = false): Promise<Date> {
  if (alone) await seeAllChanges(tx, organizationId);
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT date_trunc('milliseconds', clock_timestamp()) AS now
    FROM pg_advisory_xact_lock_shared(${lockClass}::int, hashtext(${organizationId}))`;
  if (!row) throw new Error("the database did not tell its time");
  return row.now;
}

const longestWaitForOthers = "2s";

/**
 * Waits until no change of the organization is under way (two seconds at most: then it throws what `isDatabaseUnavailable`
 * knows), and keeps new ones waiting until the transaction ends. What it
 * reads then holds every change up to the latest `updated_at` that it sees: none with an earlier time can still commit.
 */
export async function seeAllChanges(tx: Transaction, organizationId: string): Promise<void> {
  // Who waits here makes others wait, so it is not for long: a reader can come again.
  await tx.$queryRaw`SELECT set_config('lock_timeout', ${longestWaitForOthers}, true)`;
  await tx.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(${lockClass}::int, hashtext(${organizationId}))`;
}

const longestWaitMs = 1_000;

/**
 * The time of the next change of a record: later than its last one, by a millisecond at least. Where that is ahead of the
 * clock, this waits for the clock (a second at most, should it have been set back), since other records' changes after the
 * commit must not get an earlier time than this one.
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
