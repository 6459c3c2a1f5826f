import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Client } from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect } from "../client.ts";
import { withDatabase } from "../connection-options.ts";
import { testServerUrl } from "../testing/index.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { isDatabaseUnavailable } from "../unavailable.ts";
import { applyMigrations } from "./apply-migrations.ts";
import { readMigrations } from "./migration-list.ts";
import { withSchemaEngine } from "./schema-engine.ts";

const folder = makeTestFolder();
const url = withDatabase(testServerUrl(), "migrations_test");
let client: Client;

beforeEach(async () => {
  const server = await connect(testServerUrl());
  await server.query("DROP DATABASE IF EXISTS migrations_test WITH (FORCE)");
  await server.query("CREATE DATABASE migrations_test");
  await server.end();
  client = await connect(url);
  rmSync(folder, { recursive: true });
  write("migration_lock.toml", 'provider = "postgresql"');
  write("1_users/migration.sql", "CREATE TABLE users (id int);");
});
afterEach(() => client.end());

function write(file: string, content: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}

const apply = () => applyMigrations(url, { folder });
const tables = async () =>
  (
    await client.query(
      "SELECT relname FROM pg_stat_user_tables WHERE relname <> '_prisma_migrations' ORDER BY 1",
    )
  ).rows.map((row) => row.relname);

it("applies what is missing, in order, and nothing twice", async () => {
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

it("applies Parley's own migrations", async () => {
  const all = (await readMigrations()).migrationDirectories.map((migration) => migration.path);
  expect(await applyMigrations(url)).toEqual(all);
});

it("lets any number of processes start at once", async () => {
  const results = await Promise.all([apply(), apply(), apply()]);
  expect(results.flat()).toEqual(["1_users"]);
});

it("reports a failure, undoes it, and waits for somebody to look at it", async () => {
  write("2_bad/migration.sql", "CREATE TABLE half (id int);\n\nSELECT nonsense;");
  await expect(apply()).rejects.toThrow(
    'Migration 2_bad failed. Error querying the database: ERROR: column "nonsense" does not exist (42703, line 3)',
  );
  expect(await tables()).toEqual(["users"]);
  write("2_bad/migration.sql", "CREATE TABLE whole (id int);");
  await expect(apply()).rejects.toThrow("The `2_bad` migration started at");

  // What `prisma migrate resolve --rolled-back 2_bad` does.
  await withSchemaEngine(url, (engine) => engine.markMigrationRolledBack({ migrationName: "2_bad" }));
  expect(await apply()).toEqual(["2_bad"]);
  expect(await tables()).toEqual(["users", "whole"]);
});

it("repeats a migration in which the process was killed", async () => {
  write("2_slow/migration.sql", "CREATE TABLE slow (id int);\nSELECT pg_sleep(30);");
  const interrupted = apply().catch((error: unknown) => error);
  const sleeping =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
  await expect.poll(async () => (await client.query(sleeping)).rowCount).toBe(1);
  await client.query(`SELECT pg_terminate_backend(pid) FROM (${sleeping}) AS found`);
  expect(await interrupted).toSatisfy(isDatabaseUnavailable);

  write("2_slow/migration.sql", "CREATE TABLE slow (id int);");
  expect(await apply()).toEqual(["2_slow"]);
});

it("agrees with Prisma's own commands", async () => {
  const cwd = join(import.meta.dirname, "../..");
  const env = { ...process.env, DATABASE_URL: url };
  const migrate = async (...args: string[]) =>
    (await promisify(execFile)("node_modules/.bin/prisma", ["migrate", ...args], { cwd, env })).stdout;
  expect(await migrate("deploy")).toContain("All migrations have been successfully applied.");
  expect(await applyMigrations(url)).toEqual([]);
  expect(await migrate("status")).toContain("Database schema is up to date!");
  const difference = ["--from-migrations", "prisma/migrations", "--to-schema", "prisma/schema.prisma"];
  expect(await migrate("diff", ...difference, "--exit-code")).toContain("No difference detected.");
});

it("says that the server cannot be reached", async () => {
  await expect(applyMigrations("postgresql://none:none@127.0.0.1:1/none")).rejects.toThrow("ECONNREFUSED");
});
