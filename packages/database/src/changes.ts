import type { Database, Transaction } from "./client.ts";
import { runTransaction, type Send, type Statement } from "./transaction.ts";

/** Sets these locks apart from others in the database; any number will do. */
const lockClass = 20_240_101;

export interface ChangeOptions {
  /** Whether the change must see all others: it waits for them, and they for it. */
  alone?: boolean;
  /** How long it may take, where that is more than Prisma's 5 s. */
  timeoutMs?: number;
}

/**
 * Makes a change of an organization's records in one transaction. Changes go side by side; only a reader that must not miss
 * one waits for those that are under way, see `seeAllChanges`.
 *
 * @param make is given the time of the change by the database's clock, for `updated_at`, and what sends statements past Prisma
 */
export async function runChange<Result>(
  db: Database,
  organizationId: string,
  make: (tx: Transaction, now: Date, send: Send) => Promise<Result>,
  { alone = false, timeoutMs }: ChangeOptions = {},
): Promise<Result> {
  const begin = {
    name: "begin-change",
    text: `SELECT date_trunc('milliseconds', clock_timestamp()) AS now
           FROM pg_advisory_xact_lock_shared($1::int, hashtext($2))`,
    values: [lockClass, organizationId],
  };
  return runTransaction(
    db,
    alone ? [...waitingForOthers(organizationId), begin] : [begin],
    (tx, [row]: { now: Date }[], send) => {
      if (!row) throw new Error("the database did not tell its time");
      return make(tx, row.now, send);
    },
    timeoutMs === undefined ? {} : { timeout: timeoutMs },
  );
}

const longestWaitForOthers = "2s";

/**
 * Reads in a transaction while no change of the organization is under way. It waits for those that are (two seconds at most:
 * then it throws what `isDatabaseUnavailable` knows), and keeps new ones waiting until it has read. What it
 * reads holds every change up to the latest `updated_at` that it sees: none with an earlier time can still commit.
 */
export async function seeAllChanges<Result>(
  db: Database,
  organizationId: string,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return runTransaction(db, waitingForOthers(organizationId), read);
}

function waitingForOthers(organizationId: string): Statement[] {
  return [
    // Who waits here makes others wait, so it is not for long: a reader can come again.
    {
      name: "limit-waiting",
      text: "SELECT set_config('lock_timeout', $1, true)",
      values: [longestWaitForOthers],
    },
    {
      name: "wait-for-others",
      text: "SELECT 1 FROM pg_advisory_xact_lock($1::int, hashtext($2))",
      values: [lockClass, organizationId],
    },
  ];
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
