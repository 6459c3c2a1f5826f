import type { Client } from "pg";
import { settleInterrupted } from "./interrupted.ts";
import { migrationsFolder, noFilters, readMigrations } from "./migration-list.ts";
import { withMigrationLock } from "./migration-lock.ts";
import { withSchemaEngine } from "./schema-engine.ts";

export interface MigrateOptions {
  /** Is told the name of every migration that was applied. */
  log?: (line: string) => void;
  /** Where the migrations are, unless they are Parley's own. */
  folder?: string;
}

/**
 * Brings the database up to date, as `prisma migrate deploy` does, and resolves with the names of the migrations that
 * were missing. Any number of processes may do so at once.
 *
 * @throws where the server is older than PostgreSQL 18; where a migration fails (it is rolled back, and blocks all
 *   further ones until `prisma migrate resolve` says what became of it); where the server cannot be reached.
 */
export async function applyMigrations(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { log = () => {}, folder = migrationsFolder } = options;
  const migrationsList = await readMigrations(folder);
  return withSchemaEngine(url, async (engine, client) => {
    await refuseOldServer(client);
    return withMigrationLock(client, async () => {
      await settleInterrupted(client);
      const { appliedMigrationNames } = await engine
        .applyMigrations({ migrationsList, filters: noFilters })
        .catch(rethrowReadably);
      for (const name of appliedMigrationNames) log(`Applied migration ${name}`);
      return appliedMigrationNames;
    });
  });
}

/** Before any migration fails for the lack of `uuidv7()`. */
async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name",
  );
  const version = rows[0];
  if (version === undefined || version.number >= 180_000) return;
  throw new Error(`Parley needs PostgreSQL 18 or newer; this server is ${version.name}.`);
}

/** The engine's messages end with a trace of its own functions, in which the migration is named. */
function rethrowReadably(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  const [reason = "", trace = ""] = error.message.split("\n   0: ");
  const name = /migration_name="(.+)"/.exec(trace)?.[1];
  const message = reason.replace("external connector error\n", "").trim();
  throw new Error(name === undefined ? message : `Migration ${name} failed. ${message}`, { cause: error });
}
