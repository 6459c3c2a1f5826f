import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";

/** The number that Prisma's engine locks too. */
const prismaLock = 72707369;

const retryMs = 100;

/**
 * Runs `work` while no other process migrates the database.
 *
 * It polls for the lock: a session that waits inside a statement holds a snapshot, and `CREATE INDEX CONCURRENTLY` in the
 * session that holds the lock waits for all snapshots to end.
 */
export async function withMigrationLock<T>(client: Client, work: () => Promise<T>): Promise<T> {
  while (!(await tryLock(client))) await sleep(retryMs);
  try {
    return await work();
  } finally {
    // This fails if the connection is lost, and then the lock is gone too.
    await client.query("SELECT pg_advisory_unlock($1)", [prismaLock]).catch(() => {});
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
    prismaLock,
  ]);
  return rows[0]?.locked === true;
}
