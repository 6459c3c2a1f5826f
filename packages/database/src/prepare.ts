import { createDatabase } from "./client.ts";
import { applyMigrations } from "./migrate/apply-migrations.ts";
import { refuseDemo } from "./seed/demo.ts";

/**
 * Brings the database of a server that others can reach up to date.
 *
 * @throws Error when it holds the demo's well-known credentials, or a migration fails
 */
export async function prepareDatabase(url: string): Promise<void> {
  await applyMigrations(url);
  const db = createDatabase(url, { poolSize: 1 });
  try {
    await refuseDemo(db);
  } finally {
    await db.$disconnect();
  }
}
