import { expect, test } from "vitest";
import { connect } from "../client.ts";
import { createTestDatabase } from "./index.ts";

/** Reads a value from a database. */
async function read(url: string, sql: string): Promise<unknown> {
  const client = await connect(url);
  const { rows } = await client.query<{ value: unknown }>(`SELECT (${sql}) AS value`);
  await client.end();
  return rows[0]?.value;
}

const clients = "SELECT jsonb_agg(oauth_clients) FROM oauth_clients";

test("creates a separate migrated database for each caller", async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  expect(await read(one.url, "SELECT count(*)::int FROM _prisma_migrations")).toBeGreaterThan(0);
  const client = await connect(one.url);
  await client.query("CREATE TABLE mine ()");
  await client.end();
  expect(await read(other.url, "to_regclass('mine')")).toBeNull();
  await one.release();
  await other.release();
});

test("disconnects the clients of a released database and empties it, except for the rows of migrations", async () => {
  const first = await createTestDatabase();
  const rows = await read(first.url, clients);
  const client = await connect(first.url);
  const lost = new Promise((resolve) => client.on("error", resolve));
  await client.query(
    "INSERT INTO organizations (name) VALUES ('Acme'); UPDATE oauth_clients SET name = 'changed'",
  );
  await first.release();
  await lost;
  const next = await createTestDatabase();
  expect(next.url).toBe(first.url);
  expect(await read(next.url, "SELECT count(*)::int FROM organizations")).toBe(0);
  expect(await read(next.url, clients)).toEqual(rows);
  await next.release();
});

test("empties a database whose clients stay connected", async () => {
  const database = await createTestDatabase();
  const rows = await read(database.url, clients);
  const client = await connect(database.url);
  await client.query("INSERT INTO organizations (name) VALUES ('Acme'); DELETE FROM oauth_clients");
  await database.empty();
  expect((await client.query("SELECT FROM organizations")).rowCount).toBe(0);
  expect(await read(database.url, clients)).toEqual(rows);
  await client.end();
  await database.release();
});

test("drops a released database whose schema was changed", async () => {
  const changed = await createTestDatabase();
  const client = await connect(changed.url);
  client.on("error", () => {}); // The connection is terminated below.
  await client.query("ALTER TABLE organizations ADD COLUMN mine int");
  await changed.release();
  await expect(connect(changed.url)).rejects.toThrow("does not exist");
});
