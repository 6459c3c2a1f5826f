import pg from "pg";
import { connectionOptions, withDatabase } from "../connection-options.ts";
import { applyMigrations } from "../migrate/apply-migrations.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string of the test run's PostgreSQL server, as its superuser. */
    parleyTestServer: string;
  }
}

/** Database that every test database is a copy of. */
export const templateName = "parley_template";

/** Creates and migrates the template on the server of the URL. */
export async function createTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client(connectionOptions(serverUrl));
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  await applyMigrations(withDatabase(serverUrl, templateName));
}
