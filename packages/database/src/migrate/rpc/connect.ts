import { basename } from "node:path";
import pg from "pg";
import { connectionOptions, withDatabase } from "../../connection-options.ts";

/** @throws where the server cannot be reached, refuses the user, or has no such database. */
export async function tryConnection(url: string): Promise<void> {
  await run(url, "SELECT 1");
}

/** Creates the database that the URL names. */
export async function createDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(basename(new URL(url).pathname));
  await run(withDatabase(url, "postgres"), `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
