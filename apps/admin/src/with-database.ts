import { resolve } from "node:path";
import { Failure } from "@parley/command-line";
import { createDatabase, type Database } from "@parley/database";
import type { Actor } from "@parley/database/accounts";
import { findRunningPostgres } from "@parley/embedded-postgres";
import { operatorName } from "./operator-name.ts";

/** Runs a command with a database connection, and with the operator as the actor for the audit log. */
export async function withDatabase(work: (db: Database, by: Actor) => Promise<void>): Promise<void> {
  const db = createDatabase(databaseUrl(process.env), { poolSize: 2 });
  try {
    await work(db, { operator: operatorName() });
  } finally {
    await db.$disconnect();
  }
}

/** Returns the URL of the database, without a connection pooler. */
export function databaseUrl({ DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: NodeJS.ProcessEnv): string {
  if (DATABASE_DIRECT_URL) return checked(DATABASE_DIRECT_URL);
  if (DATABASE_URL) return checked(DATABASE_URL);
  const dataDir = resolve(DATA_DIR || ".parley");
  const url = findRunningPostgres(dataDir);
  if (url !== undefined) return url;
  throw new Failure(
    `DATABASE_URL is not set, and no Parley server is running on the data folder ${dataDir}.\n` +
      "Set DATABASE_URL to the server's PostgreSQL, set DATA_DIR to its data folder, or start it with `npm start`.",
  );
}

function checked(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new Failure("DATABASE_URL must look like postgresql://user:password@host:port/database.", 2);
}
