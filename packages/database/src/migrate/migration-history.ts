import type { Client } from "pg";
import { type Migration, removesFromEarlierVersions } from "./migration-files.ts";

/** Row of Prisma's table of migrations that was not rolled back. */
interface RecordedMigration {
  name: string;
  checksum: string;
  startedAt: Date;
  finished: boolean;
  logs: string | null;
}

/** Creates Prisma's table of applied migrations if it does not exist, with Prisma's columns. */
export async function ensureHistory(client: Client): Promise<void> {
  const { rows } = await client.query<{ missing: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NULL AS missing",
  );
  // CREATE TABLE IF NOT EXISTS would require the privilege to create tables even if the table exists.
  if (!rows[0]?.missing) return;
  await client.query(`
    CREATE TABLE _prisma_migrations (
      id                  varchar(36) PRIMARY KEY NOT NULL,
      checksum            varchar(64) NOT NULL,
      finished_at         timestamptz,
      migration_name      varchar(255) NOT NULL,
      logs                text,
      rolled_back_at      timestamptz,
      started_at          timestamptz NOT NULL DEFAULT now(),
      applied_steps_count integer NOT NULL DEFAULT 0
    )`);
}

/**
 * Returns the migrations that the database does not have yet.
 *
 * @throws Error if a later version removed what this version needs, or if a migration is unfinished or differs from its file
 */
export async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows: recorded } = await client.query<RecordedMigration>(`
    SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at IS NOT NULL AS finished, logs
    FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`);
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  refuseRemovals(recorded.filter(({ name }) => !byName.has(name) && removesFromEarlierVersions(name)));
  for (const record of recorded) {
    const migration = byName.get(record.name);
    if (migration && !record.finished) throw unfinished(migration, record);
    if (migration && migration.checksum !== record.checksum) throw edited(migration);
  }
  const applied = new Set(recorded.map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

function refuseRemovals(later: RecordedMigration[]): void {
  if (later.length === 0) return;
  const names = later.map(({ name }) => name).join(", ");
  throw new Error(
    `The database is too new for this version of Parley: later migrations removed what it needs (${names}). ` +
      "Start the version that applied them or a later one, or restore a backup from before the upgrade.",
  );
}

function unfinished({ name }: Migration, { startedAt, logs }: RecordedMigration): Error {
  const reason = logs === null ? "it was interrupted" : logs.trim();
  return new Error(
    `Migration ${name} started at ${startedAt.toISOString()} and did not finish: ${reason}. ${howToRepeat(name)}`,
  );
}

function edited({ name, file }: Migration): Error {
  return new Error(
    `Migration ${name} was edited after it was applied: the checksum of ${file} differs from the one in ` +
      "_prisma_migrations. Restore the file, and put the change in a new migration.",
  );
}

/** Returns how to repeat a migration that did not finish. */
export function howToRepeat(name: string): string {
  return (
    "Parts of it may have taken effect, such as an invalid index. Undo them, then run " +
    `"UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' AND finished_at IS NULL" ` +
    "and start again."
  );
}

/** Records that a migration starts. Call `recordFinish` in the same transaction, if there is one. */
export async function recordStart(client: Client, { name, checksum }: Migration): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO _prisma_migrations (id, migration_name, checksum, started_at)
     VALUES (gen_random_uuid()::text, $1, $2, clock_timestamp()) RETURNING id`,
    [name, checksum],
  );
  return rows[0]?.id ?? "";
}

export async function recordFinish(client: Client, id: string): Promise<void> {
  await client.query(
    "UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1",
    [id],
  );
}

export async function recordFailure(client: Client, id: string, reason: string): Promise<void> {
  await client.query("UPDATE _prisma_migrations SET logs = $2 WHERE id = $1", [id, reason]);
}
