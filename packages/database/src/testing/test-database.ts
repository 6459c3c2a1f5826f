import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { createPool } from "../client.ts";
import { connectionOptions, withDatabase } from "../connection-options.ts";
import { readResetStatements, readSchema } from "./reset-database.ts";
import { templateName } from "./template.ts";

export interface TestDatabase {
  url: string;
  /** Deletes all rows, except those of migrations, and restarts sequences. Clients stay connected. Does not undo changes of the schema. */
  empty(): Promise<void>;
  /** Disconnects its clients. Another test may then use the database, unless this test changed the schema. */
  release(): Promise<void>;
}

/** Returns the superuser's URL of the test run's PostgreSQL server, for tests of servers and databases. */
export function testServerUrl(): string {
  return inject("parleyTestServer");
}

/** Names of empty databases that tests of this worker have released. Emptying one takes a twentieth of the time of creating one. */
const released: string[] = [];

/** Creates a database with all migrations applied and no data, or returns one that an earlier test released. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = released.pop() ?? (await createFrom(templateName));
  const pool = createPool(urlOf(name), { poolSize: 1 }); // Connecting takes ten times as long as deleting the rows.
  return {
    url: urlOf(name),
    async empty() {
      template ??= readTemplate();
      await pool.query((await template).reset);
    },
    async release() {
      await pool.end();
      if (await disconnectAndEmpty(name)) released.push(name);
      else await dropDatabase(name);
    },
  };
}

/** Creates a database without tables. */
export async function createEmptyDatabase(): Promise<Omit<TestDatabase, "empty">> {
  const name = await createFrom("template1");
  return { url: urlOf(name), release: () => dropDatabase(name) };
}

const urlOf = (name: string) => withDatabase(testServerUrl(), name);

async function createFrom(template: string): Promise<string> {
  const name = `test_${randomUUID()}`;
  await runOn(testServerUrl(), (client) => client.query(`CREATE DATABASE "${name}" TEMPLATE ${template}`));
  return name;
}

async function dropDatabase(name: string): Promise<void> {
  await runOn(testServerUrl(), (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
}

let template: Promise<{ schema: string; reset: string }> | undefined;

function readTemplate() {
  return runOn(urlOf(templateName), async (client) => ({
    schema: await readSchema(client),
    reset: await readResetStatements(client),
  }));
}

/** Disconnects the clients of a database and deletes its rows. @returns false if a test changed the schema */
async function disconnectAndEmpty(name: string): Promise<boolean> {
  template ??= readTemplate();
  const { schema, reset } = await template;
  return runOn(urlOf(name), async (client) => {
    if ((await readSchema(client)) !== schema) return false;
    await client.query(disconnectOthers);
    await client.query(reset);
    return true;
  });
}

const disconnectOthers = `
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

async function runOn<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
