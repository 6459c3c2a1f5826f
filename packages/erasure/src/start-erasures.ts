import type { Database } from "@parley/database";
import type { Logger } from "@parley/webhooks";
import type { Pool } from "pg";
import { type ErasureOptions, runErasure } from "./run-erasure.ts";

interface Options extends ErasureOptions {
  log: Logger;
  /** Called after each failed run. */
  failed: () => void;
}

const pollEveryMs = 1_000;
const pauseAfterFailureMs = 10_000;
/** Class of these advisory locks; an arbitrary number. */
const lockClass = 20_240_102;

/**
 * Runs requested erasures, one at a time, until stopped. A session lock in PostgreSQL makes sure that no other worker runs the same
 * erasure. If the worker dies, another one continues.
 */
export function startErasures(options: Options): { stop(): Promise<void> } {
  const { db, log, failed } = options;
  let running = Promise.resolve();
  let isBusy = false;
  let isStopped = false;
  let notBefore = 0;

  async function poll(): Promise<void> {
    isBusy = true;
    try {
      for (const id of await findOpen(db)) {
        if (isStopped) break;
        await withLock(db, id, () => run(id));
      }
    } catch (error) {
      failed();
      notBefore = Date.now() + pauseAfterFailureMs;
      log.error({ err: error }, "erasing a person failed; retrying in 10 seconds");
    }
    isBusy = false;
  }

  async function run(id: string): Promise<void> {
    const report = await runErasure(options, id, () => isStopped);
    if (report) log.info({ erasure: id, report }, "erasure completed");
  }

  const timer = setInterval(() => {
    if (!isBusy && Date.now() >= notBefore) running = poll();
  }, pollEveryMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Checks whether a worker holds the lock of an erasure. */
export async function isTaken(db: Pick<Database, "$queryRaw">, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = ${lockClass}::oid
      AND objid = (hashtext(${id})::bigint & 4294967295)::oid
      AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return rows.length > 0;
}

async function findOpen(db: Pool): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "find-erasures",
    text: "SELECT id FROM erasures WHERE status <> 'completed' ORDER BY id LIMIT 100",
  });
  return rows.map(({ id }) => id);
}

/** Runs work while holding the lock of an erasure; does nothing if another worker holds it, or the erasure is completed. */
async function withLock(db: Pool, id: string, work: () => Promise<void>): Promise<void> {
  const session = await db.connect();
  try {
    const { rows } = await session.query<{ taken: boolean }>(
      "SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken",
      [lockClass, id],
    );
    if (!rows[0]?.taken) return;
    const open = await session.query("SELECT 1 FROM erasures WHERE id = $1 AND status <> 'completed'", [id]);
    if (open.rows.length > 0) await work();
  } finally {
    session.release(true); // Closing the connection releases the lock.
  }
}
