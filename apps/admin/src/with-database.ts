import { resolve } from "node:path";
import { createDatabase, type Database } from "@parley/database";
import type { Actor } from "@parley/database/accounts";
import { findRunningPostgres } from "@parley/embedded-postgres";
import { Failure } from "./failure.ts";
import { operatorName } from "./operator-name.ts";

/** Runs a command's work on the database, in the name of whoever runs the command. */
export async function withDatabase(work: (db: Database, by: Actor) => Promise<void>): Promise<void> {
  const db = createDatabase(databaseUrl(process.env), { poolSize: 2 });
  try {
    await work(db, { operator: operatorName() });
  } finally {
    await db.$disconnect();
  }
}

function databaseUrl({ DATABASE_URL, DATA_DIR }: NodeJS.ProcessEnv): string {
  if (DATABASE_URL) return checked(DATABASE_URL);
  const dataDir = resolve(DATA_DIR || ".parley");
  const url = findRunningPostgres(dataDir);
  if (url !== undefined) return url;
  throw new Failure(
    `No Parley runs on the data folder ${dataDir}, and DATABASE_URL is not set.\n` +
      "Start it with `npm start`, or name its folder in DATA_DIR, or its PostgreSQL in DATABASE_URL.",
  );
}

function checked(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new Failure("DATABASE_URL must look like postgresql://user:password@host:port/database.", 2);
}
