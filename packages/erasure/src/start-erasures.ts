import type { Database } from "@parley/database";
import { type Logger, releaseLocksOfLostClients } from "@parley/webhooks";
import type { Client, Pool } from "pg";
import { deleteErasedIds, type ErasureOptions, runPass } from "./run-erasure.ts";

interface Options extends ErasureOptions {
  /** Opens a connection that is not pooled, for locks. */
  connect: () => Promise<Client>;
  log: Logger;
  /** Called after each failed run. */
  failed: () => void;
  /** Least time between two passes of an erasure, in milliseconds. Default: 1 second, because API processes write the request log every half second. */
  everyMs?: number;
}

const pauseAfterFailureMs = 10_000;
const longestPauseAfterFailureMs = 10 * 60_000;
/** Class of these advisory locks; an arbitrary number. */
const lockClass = 20_240_102;

/**
 * Runs requested erasures in turn, one pass of each, until stopped. A session lock in PostgreSQL makes sure that no other worker runs the
 * same erasure. If the worker dies, another one continues.
 */
export function startErasures(options: Options): { stop(): Promise<void> } {
  const { db, log, failed, everyMs = 1_000 } = options;
  const stopping = new AbortController();
  let running = Promise.resolve();
  let isBusy = false;
  let notBefore = 0;
  let hasErasedIds = true; // A worker may have died before it deleted them.
  /** Erasures that failed, with the time of the next attempt in ms since 1970. */
  const failures = new Map<string, { pauseMs: number; notBefore: number }>();

  async function poll(): Promise<void> {
    isBusy = true;
    try {
      await runOpen();
    } catch (error) {
      if (!stopping.signal.aborted) {
        failed();
        notBefore = Date.now() + pauseAfterFailureMs;
        log.error({ err: error }, "running erasures failed; retrying in 10 seconds");
      }
    }
    isBusy = false;
  }

  async function runOpen(): Promise<void> {
    if (hasErasedIds) await deleteErasedIds(db);
    hasErasedIds = false;
    const open = await findOpen(db, everyMs);
    const ready = open.filter((id) => Date.now() >= (failures.get(id)?.notBefore ?? 0));
    if (ready.length === 0) return;
    const session = await openLockSession(options.connect);
    const signal = AbortSignal.any([stopping.signal, session.signal]);
    try {
      for (const id of ready) {
        signal.throwIfAborted();
        await withLock(session.client, id, () => run(id, signal));
      }
    } finally {
      await session.close();
    }
  }

  /** Runs a pass. A failure does not keep others from running. */
  async function run(id: string, signal: AbortSignal): Promise<void> {
    try {
      const report = await runPass(options, id, signal);
      failures.delete(id);
      if (!report) return;
      log.info({ erasure: id, report }, "erasure completed");
      hasErasedIds = true;
    } catch (error) {
      signal.throwIfAborted();
      failed();
      const before = failures.get(id)?.pauseMs ?? pauseAfterFailureMs / 2;
      const pauseMs = Math.min(2 * before, longestPauseAfterFailureMs);
      failures.set(id, { pauseMs, notBefore: Date.now() + pauseMs });
      log.error({ err: error, erasure: id }, "erasing a person failed; retrying later");
    }
  }

  const timer = setInterval(() => {
    if (!isBusy && Date.now() >= notBefore) running = poll();
  }, everyMs);
  return {
    async stop() {
      stopping.abort();
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

/**
 * Returns the erasures that are not completed. The pause between their passes grows to 10 seconds while the person's data is written again
 * and again.
 */
async function findOpen(db: Pool, leastPauseMs: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "find-erasures",
    text: `SELECT id FROM erasures WHERE status <> 'completed' AND (searched_until IS NULL
             OR searched_until < now() - least(greatest((now() - created_at) / 10, $1 * interval '1 millisecond'), interval '10 seconds'))
           ORDER BY id`,
    values: [leastPauseMs],
  });
  return rows.map(({ id }) => id);
}

interface LockSession {
  client: Client;
  /** Aborted when the connection, and with it every lock, is lost. */
  signal: AbortSignal;
  close(): Promise<void>;
}

async function openLockSession(connect: () => Promise<Client>): Promise<LockSession> {
  const client = await connect();
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(error));
  client.on("end", () => lost.abort(new Error("the database session with the locks of erasures ended")));
  await releaseLocksOfLostClients(client).catch(async (error: unknown) => {
    await client.end().catch(() => undefined);
    throw error;
  });
  return { client, signal: lost.signal, close: () => client.end().catch(() => undefined) };
}

/** Runs work while holding the lock of an erasure; does nothing if another worker holds it. */
async function withLock(session: Client, id: string, work: () => Promise<void>): Promise<void> {
  const lock = [lockClass, id];
  const { rows } = await session.query<{ taken: boolean }>(
    "SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken",
    lock,
  );
  if (!rows[0]?.taken) return;
  await work();
  await session.query("SELECT pg_advisory_unlock($1, hashtext($2))", lock);
}
