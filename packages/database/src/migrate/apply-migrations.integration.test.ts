import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeTestFolder } from "@parley/testing/test-folder";
import type { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { connect } from "../client.ts";
import { createEmptyDatabase } from "../testing/index.ts";
import { checkHistory } from "../testing/prisma-engine/check-history.ts";
import { isDatabaseUnavailable } from "../unavailable.ts";
import { applyMigrations } from "./apply-migrations.ts";

const folder = makeTestFolder();
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let url: string;
let client: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  ({ url } = database);
  client = await connect(url);
});
afterAll(async () => {
  await client.end();
  await database.release();
});
beforeEach(async () => {
  await client.query(
    "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC",
  );
  rmSync(folder, { recursive: true });
  write("migration_lock.toml", 'provider = "postgresql"');
  write("1_users/migration.sql", "CREATE TABLE users (id int);");
});

function write(file: string, content: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}

const apply = () => applyMigrations(url, { folder });
const column = async (sql: string) => (await client.query({ text: sql, rowMode: "array" })).rows.flat();
const tables = () =>
  column("SELECT relname FROM pg_stat_user_tables WHERE relname <> '_prisma_migrations' ORDER BY 1");
const sleeping =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";

const soon = { timeout: 60_000, interval: 10 };
const waiting =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

async function killDuringSleep(migration: Promise<unknown>): Promise<unknown> {
  const failure = migration.catch((error: unknown) => error);
  await expect.poll(() => column(sleeping), soon).toHaveLength(1);
  await client.query(`SELECT pg_terminate_backend(pid) FROM (${sleeping}) AS found`);
  return failure;
}

it("applies pending migrations in order, each once", async () => {
  const lines: string[] = [];
  expect(await applyMigrations(url, { folder, log: (line) => lines.push(line) })).toEqual(["1_users"]);
  expect(lines).toEqual(["Applied migration 1_users"]);
  expect(await apply()).toEqual([]);
  write("3_more/migration.sql", "ALTER TABLE users ADD COLUMN name text;");
  write(
    "2_name/migration.sql",
    "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;",
  );
  expect(await apply()).toEqual(["2_name", "3_more"]);
  expect((await client.query("SELECT f()")).rows).toEqual([{ f: 1 }]);
});

it("records a migration as Prisma does", async () => {
  await apply();
  expect(
    await column(`
      SELECT concat_ws(' ', column_name, data_type, character_maximum_length, is_nullable, column_default)
      FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`),
  ).toEqual([
    "id character varying 36 NO",
    "checksum character varying 64 NO",
    "finished_at timestamp with time zone YES",
    "migration_name character varying 255 NO",
    "logs text YES",
    "rolled_back_at timestamp with time zone YES",
    "started_at timestamp with time zone NO now()",
    "applied_steps_count integer NO 0",
  ]);
  const { rows } = await client.query("SELECT * FROM _prisma_migrations");
  expect(rows).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: createHash("sha256")
        .update(readFileSync(join(folder, "1_users/migration.sql")))
        .digest("hex"),
      finished_at: expect.any(Date),
      migration_name: "1_users",
      logs: null,
      rolled_back_at: null,
      started_at: expect.any(Date),
      applied_steps_count: 1,
    },
  ]);
  expect(rows[0].finished_at >= rows[0].started_at).toBe(true);
});

it("writes records that Prisma can read", async () => {
  const history = () => checkHistory(url, folder);
  await apply();
  expect(await history()).toEqual({ edited: [], failed: [], missing: [] });
  write("2_more/migration.sql", "SELECT 1;");
  expect(await history()).toEqual({ edited: [], failed: [], missing: ["2_more"] });
  write("2_more/migration.sql", "-- parley:no-transaction\nSELECT nonsense;");
  await expect(apply()).rejects.toThrow("Migration 2_more failed");
  expect(await history()).toEqual({ edited: [], failed: ["2_more"], missing: [] });
  write("1_users/migration.sql", "SELECT 2;");
  expect(await history()).toEqual({ edited: ["1_users"], failed: ["2_more"], missing: [] });
});

it("works with several processes at the same time", async () => {
  const results = await Promise.all([apply(), apply(), apply()]);
  expect(results.flat()).toEqual(["1_users"]);
});

it("rolls back a migration that fails, and names its file", async () => {
  write("2_bad/migration.sql", "CREATE TABLE half (id int);\n\nSELECT nonsense;");
  await expect(apply()).rejects.toThrow(
    'Migration 2_bad failed: column "nonsense" does not exist (42703, ' +
      `${folder}/2_bad/migration.sql, line 3). It was rolled back. Fix the cause and start again.`,
  );
  expect(await tables()).toEqual(["users"]);
  write("2_bad/migration.sql", "CREATE TABLE whole (id int);");
  expect(await apply()).toEqual(["2_bad"]);
  expect(await tables()).toEqual(["users", "whole"]);
});

it("repeats a migration during which the process was killed", async () => {
  write("2_slow/migration.sql", "CREATE TABLE slow (id int);\nSELECT pg_sleep(30);");
  expect(await killDuringSleep(apply())).toSatisfy(isDatabaseUnavailable);
  write("2_slow/migration.sql", "CREATE TABLE slow (id int);");
  expect(await apply()).toEqual(["2_slow"]);
});

it("accepts a database to which a later version added something", async () => {
  write("2_more/migration.sql", "CREATE TABLE more (id int);");
  await apply();
  rmSync(join(folder, "2_more"), { recursive: true });
  expect(await apply()).toEqual([]);
  expect(await tables()).toEqual(["more", "users"]);
});

it("rejects a database from which a later version removed something", async () => {
  write("2_users_contract/migration.sql", "DROP TABLE users;");
  await apply();
  rmSync(join(folder, "2_users_contract"), { recursive: true });
  write("3_other/migration.sql", "CREATE TABLE other (id int);");
  await expect(apply()).rejects.toThrow(
    "The database is too new for this version of Parley: later migrations removed what it needs (2_users_contract). " +
      "Start the version that applied them or a later one, or restore a backup from before the upgrade.",
  );
  expect(await tables()).toEqual([]);
});

it("waits for a table without stopping the statements of others", async () => {
  await apply();
  write("2_name/migration.sql", "ALTER TABLE users ADD COLUMN name text;");
  const [reader, other] = [await connect(url), await connect(url)];
  await reader.query("BEGIN; SELECT * FROM users");
  const migration = applyMigrations(url, { folder, lockTimeoutMs: 200 });
  await expect.poll(() => column(waiting), soon).toHaveLength(1);
  await other.query("SELECT * FROM users");
  await reader.query("COMMIT");
  expect(await migration).toEqual(["2_name"]);
  await reader.end();
  await other.end();
});

it("rejects a migration that was edited after it was applied", async () => {
  await apply();
  write("1_users/migration.sql", "CREATE TABLE users (id bigint);");
  write("2_more/migration.sql", "CREATE TABLE more (id int);");
  await expect(apply()).rejects.toThrow(
    `Migration 1_users was edited after it was applied: the checksum of ${folder}/1_users/migration.sql differs ` +
      "from the one in _prisma_migrations. Restore the file, and put the change in a new migration.",
  );
  expect(await tables()).toEqual(["users"]);
});

it("needs no privilege to create tables if nothing is pending", async () => {
  await apply();
  await client.query(`
    CREATE ROLE migrations_reader LOGIN PASSWORD 'reader';
    GRANT SELECT ON _prisma_migrations TO migrations_reader`);
  const reader = new URL(url);
  [reader.username, reader.password] = ["migrations_reader", "reader"];
  expect(await applyMigrations(reader.href, { folder })).toEqual([]);
  await client.query("DROP OWNED BY migrations_reader; DROP ROLE migrations_reader");
});

const index = "-- parley:no-transaction\nCREATE UNIQUE INDEX CONCURRENTLY users_id ON users (id);";

it("runs a marked migration without a transaction while other processes start", async () => {
  await apply();
  write("2_index/migration.sql", index);
  const results = await Promise.all([apply(), apply(), apply()]);
  expect(results.flat()).toEqual(["2_index"]);
  expect(await column("SELECT indisvalid FROM pg_index WHERE indexrelid = 'users_id'::regclass")).toEqual([
    true,
  ]);
  expect(await apply()).toEqual([]);
});

const howToRepeat =
  "Parts of it may have taken effect, such as an invalid index. Undo them, then run " +
  `"UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_index' AND finished_at IS NULL" ` +
  "and start again.";

it("explains how to repeat a migration that failed without a transaction", async () => {
  await apply();
  await client.query("INSERT INTO users VALUES (1), (1)");
  write("2_index/migration.sql", index);
  const reason = `could not create unique index "users_id" (23505, ${folder}/2_index/migration.sql)`;
  await expect(apply()).rejects.toThrow(
    `Migration 2_index failed: ${reason}. It runs without a transaction. ${howToRepeat}`,
  );
  await expect(apply()).rejects.toThrow(/^Migration 2_index started at .+Z and did not finish: /);
  await expect(apply()).rejects.toThrow(`did not finish: ${reason}. ${howToRepeat}`);

  await client.query("DELETE FROM users; DROP INDEX users_id");
  await client.query(/"(UPDATE .+)"/.exec(howToRepeat)?.[1] ?? "");
  expect(await apply()).toEqual(["2_index"]);
  expect(
    await column(
      "SELECT finished_at IS NULL FROM _prisma_migrations WHERE migration_name = '2_index' ORDER BY started_at",
    ),
  ).toEqual([true, false]);
});

it("reports a migration without a transaction during which the process was killed", async () => {
  write("2_index/migration.sql", "-- parley:no-transaction\nSELECT pg_sleep(30);");
  expect(await killDuringSleep(apply())).toSatisfy(isDatabaseUnavailable);
  await expect(apply()).rejects.toThrow(`did not finish: it was interrupted. ${howToRepeat}`);
});

it("reports an unreachable server", async () => {
  await expect(applyMigrations("postgresql://none:none@127.0.0.1:1/none")).rejects.toThrow("ECONNREFUSED");
});
