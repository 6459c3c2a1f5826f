import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { connectionOptions, withDatabase } from "../connection-options.ts";
import { templateName } from "./template.ts";

export interface TestDatabase {
  url: string;
  /** Disconnects whoever still uses the database. */
  drop(): Promise<void>;
}

/** The superuser's URL of the PostgreSQL server which the test run started, for tests of servers and databases. */
export function testServerUrl(): string {
  return inject("parleyTestServer");
}

/** A new database for the calling test file, with all migrations applied and no data. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID()}`;
  await runOnServer(`CREATE DATABASE "${name}" TEMPLATE ${templateName}`);
  return {
    url: withDatabase(testServerUrl(), name),
    drop: () => runOnServer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
  };
}

async function runOnServer(sql: string): Promise<void> {
  const client = new pg.Client(connectionOptions(testServerUrl()));
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
