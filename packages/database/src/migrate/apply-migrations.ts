import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { connect } from "../client.ts";
import { type Migration, migrationsFolder, readMigrations } from "./migration-files.ts";
import {
  ensureHistory,
  findPending,
  howToRepeat,
  recordFailure,
  recordFinish,
  recordStart,
} from "./migration-history.ts";

interface MigrateOptions {
  /** Receives a line for each migration that is applied. */
  log?: (line: string) => void;
  /** Folder with the migrations. Default: Parley's migrations. */
  folder?: string;
  /** Time for which a statement waits for the lock of a table, and then for its next attempt, in milliseconds. Default: 1,000. */
  lockTimeoutMs?: number;
}

/**
 * Applies the migrations that the database does not have yet, and returns their names. `prisma migrate deploy` does the
 * same. Several processes may call it at once.
 *
 * A version of Parley also starts on the database of a later version, as long as no migration removed what it needs.
 *
 * @throws Error if the server is unreachable or older than PostgreSQL 18, or if a later version removed what this version needs. Also
 *   if a migration fails, did not finish earlier, or was edited after it was applied.
 */
export async function applyMigrations(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { log = () => {}, folder = migrationsFolder, lockTimeoutMs = 1_000 } = options;
  const migrations = await readMigrations(folder);
  const client = await connect(url);
  client.on("error", () => {}); // The next query reports a lost connection.
  try {
    await refuseOldServer(client);
    return await withMigrationLock(client, async () => {
      await ensureHistory(client);
      const pending = await findPending(client, migrations);
      for (const migration of pending) {
        await (migration.inTransaction
          ? applyInTransaction(client, migration, lockTimeoutMs)
          : applyDirectly(client, migration));
        log(`Applied migration ${migration.name}`);
      }
      return pending.map(({ name }) => name);
    });
  } finally {
    await client.end();
  }
}

/** Number of the advisory lock, the same as in Prisma's engine. */
const prismaLock = 72707369;

const retryMs = 100;

/**
 * Runs `work` while no other process migrates the database.
 *
 * It polls for the lock: a session that waits inside a statement holds a snapshot, and `CREATE INDEX CONCURRENTLY` in the
 * session that holds the lock waits for all snapshots to end.
 */
async function withMigrationLock<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  while (!(await tryLock(client))) await sleep(retryMs);
  try {
    return await work();
  } finally {
    // Fails if the connection is lost, which releases the lock too.
    await client.query("SELECT pg_advisory_unlock($1)", [prismaLock]).catch(() => {});
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
    prismaLock,
  ]);
  return rows[0]?.locked === true;
}

/** Rejects old servers with a clear message. Otherwise the first migration would fail because `uuidv7()` does not exist. */
async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name",
  );
  const version = rows[0];
  if (version === undefined || version.number >= 180_000) return;
  throw new Error(`Parley requires PostgreSQL 18 or later. This server has version ${version.name}.`);
}

const lockAttempts = 60;
const lockNotAvailable = "55P03";

/**
 * While a statement waits for the lock of a table, all later statements on this table wait behind it. Therefore it gives up soon, and is
 * repeated.
 */
async function applyInTransaction(
  client: pg.Client,
  migration: Migration,
  lockTimeoutMs: number,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query("BEGIN");
    try {
      await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      const id = await recordStart(client, migration);
      await client.query(migration.sql);
      await recordFinish(client, id);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {}); // If the connection is lost, the server rolls back.
      const waitsForLock = error instanceof pg.DatabaseError && error.code === lockNotAvailable;
      if (!waitsForLock || attempt === lockAttempts) {
        throw failure(migration, error, "It was rolled back. Fix the cause and start again.");
      }
      await sleep(lockTimeoutMs);
    }
  }
}

/** Records the start first, so that an interruption is detected at the next start. */
async function applyDirectly(client: pg.Client, migration: Migration): Promise<void> {
  const id = await recordStart(client, migration);
  try {
    await client.query(migration.sql);
  } catch (error) {
    await recordFailure(client, id, describe(migration, error)).catch(() => {});
    throw failure(migration, error, `It runs without a transaction. ${howToRepeat(migration.name)}`);
  }
  await recordFinish(client, id);
}

function failure(migration: Migration, error: unknown, advice: string): Error {
  const message = `Migration ${migration.name} failed: ${describe(migration, error)}. ${advice}`;
  return new Error(message, { cause: error });
}

/** Returns the error's message with its code and its line in the file. */
function describe({ file, sql }: Migration, error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error ? error.message : String(error);
  const { message, code = "", position } = error;
  const line = sql.slice(0, Number(position)).split("\n").length;
  return `${message} (${code}, ${file}${position === undefined ? "" : `, line ${line}`})`;
}
