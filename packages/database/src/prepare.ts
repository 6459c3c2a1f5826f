import { createDatabase, type Database } from "./client.ts";
import type { DatabaseAddress } from "./config.ts";
import { applyMigrations } from "./migrate/apply-migrations.ts";
import { rejectDemo } from "./seed/demo.ts";

/**
 * Applies pending migrations to the database of a production server.
 *
 * @throws Error if the database contains the demo's public credentials, if a migration fails, or if a connection pooler does not set the
 *   time zone
 */
export async function prepareDatabase({ url, directUrl, pooler }: DatabaseAddress): Promise<void> {
  await applyMigrations(directUrl);
  const db = createDatabase(url, { poolSize: 1, pooler });
  try {
    await rejectOtherTimeZone(db);
    await rejectDemo(db);
  } finally {
    await db.$disconnect();
  }
}

/** Rejects sessions that do not use UTC. Poolers may ignore the time zone that connections request. */
async function rejectOtherTimeZone(db: Database): Promise<void> {
  const rows = await db.$queryRaw<{ zone: string }[]>`SELECT current_setting('TimeZone') AS zone`;
  const zone = rows[0]?.zone;
  if (zone === "UTC") return;
  throw new Error(
    `The connections of DATABASE_URL use the time zone ${zone}, not UTC. If DATABASE_URL leads to PgBouncer, add timezone=UTC to the ` +
      "database in pgbouncer.ini: docs/operating/pgbouncer.md has an example.",
  );
}
