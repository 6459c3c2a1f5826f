import { resolve } from "node:path";
import { Failure } from "@parley/command-line";
import { readConfig } from "@parley/config";
import { createDatabase, type Database, databaseVariables } from "@parley/database";
import type { Actor } from "@parley/database/accounts";
import { findRunningPostgres } from "@parley/embedded-postgres";
import { z } from "zod";
import { operatorName } from "./operator-name.ts";

/** Runs a command with a database connection, and with the operator as the actor for the audit log. */
export async function withDatabase(
  work: (db: Database, by: Actor, url: string) => Promise<void>,
): Promise<void> {
  const url = databaseUrl(process.env);
  const db = createDatabase(url, { poolSize: 2 });
  try {
    await work(db, { operator: operatorName() }, url);
  } finally {
    await db.$disconnect();
  }
}

/** Returns the URL of the database, without a connection pooler. */
export function databaseUrl(environment: NodeJS.ProcessEnv): string {
  const config = configOf(environment);
  const configured = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (configured !== undefined) return configured;
  const dataDir = resolve(config.DATA_DIR);
  const url = findRunningPostgres(dataDir);
  if (url !== undefined) return url;
  throw new Failure(
    `DATABASE_URL is not set, and no Parley server is running on the data folder ${dataDir}.\n` +
      "Set DATABASE_URL to the server's PostgreSQL, set DATA_DIR to its data folder, or start it with `npm start`.",
  );
}

const { DATABASE_URL, DATABASE_DIRECT_URL } = databaseVariables;
const adminConfig = z.object({
  DATABASE_URL: DATABASE_URL.optional().meta({ ...DATABASE_URL.meta() }),
  DATABASE_DIRECT_URL,
  DATA_DIR: z.string().default(".parley"),
});

function configOf(environment: NodeJS.ProcessEnv): z.infer<typeof adminConfig> {
  try {
    return readConfig(adminConfig, environment);
  } catch (error) {
    throw new Failure((error as Error).message, 2);
  }
}
