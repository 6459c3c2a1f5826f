import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { connectionOptions, withDatabase } from "../connection-options.ts";
import { templateName } from "./template.ts";

export interface TestDatabase {
  url: string;
  /** Drops the database, after disconnecting its clients. */
  drop(): Promise<void>;
}

/** Returns the superuser's URL of the test run's PostgreSQL server, for tests of servers and databases. */
export function testServerUrl(): string {
  return inject("parleyTestServer");
}

/** Creates a database with all migrations applied and no data. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(templateName);
}

/** Creates a database without tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom("template1");
}

async function createFrom(template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID()}`;
  await runOnServer(`CREATE DATABASE "${name}" TEMPLATE ${template}`);
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
