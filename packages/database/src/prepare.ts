import { createDatabase } from "./client.ts";
import { applyMigrations } from "./migrate/apply-migrations.ts";
import { rejectDemo } from "./seed/demo.ts";

/**
 * Applies pending migrations to the database of a production server.
 *
 * @throws Error if the database contains the demo's public credentials, or a migration fails
 */
export async function prepareDatabase(url: string): Promise<void> {
  await applyMigrations(url);
  const db = createDatabase(url, { poolSize: 1 });
  try {
    await rejectDemo(db);
  } finally {
    await db.$disconnect();
  }
}
