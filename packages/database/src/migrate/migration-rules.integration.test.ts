import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "../client.ts";
import { createEmptyDatabase } from "../testing/index.ts";
import { findProblems } from "../testing/migration-rules.ts";
import { type Migration, migrationsFolder, readMigrations } from "./migration-files.ts";

const migrations = await readMigrations(migrationsFolder);
const [baseline, ...later] = migrations;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let client: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = await connect(database.url);
  await client.query(baseline?.sql ?? "");
});
afterAll(async () => {
  await client.end();
  await database.release();
});

it("has no released migration that was edited, and none that is applied before a released one", () => {
  const lines = readFileSync(join(migrationsFolder, "../released-migrations.sha256"), "utf8")
    .trim()
    .split("\n");
  const released = migrations.slice(0, lines.length);
  expect(lines).toEqual(
    released.map(({ name, checksum }) => `${checksum}  migrations/${name}/migration.sql`),
  );
});

const noTransaction = "-- parley:no-transaction\n";

it.each([
  ["ALTER TABLE leads ADD COLUMN nickname text", []],
  ["ALTER TABLE leads ADD COLUMN stars int NOT NULL DEFAULT 3", []],
  ["CREATE TABLE notes (id uuid PRIMARY KEY, lead_id uuid REFERENCES leads ON DELETE CASCADE)", []],
  ["ALTER TABLE leads ADD CONSTRAINT short CHECK (length(source) < 99) NOT VALID", []],
  [`${noTransaction}CREATE INDEX CONCURRENTLY leads_source ON leads (source)`, []],
  ["UPDATE users SET name = 'Ada' WHERE id = '01928c5e-7a10-7c44-8d21-0b6de2f0a100'", []],
  [
    "CREATE INDEX leads_source ON leads (source)",
    [
      "creates leads_source while leads is locked: use CREATE INDEX CONCURRENTLY",
      "reads all rows of leads: add constraints as NOT VALID, and change rows in batches with a job",
    ],
  ],
  [
    "ALTER TABLE leads ADD CONSTRAINT short CHECK (length(source) < 99)",
    ["reads all rows of leads: add constraints as NOT VALID, and change rows in batches with a job"],
  ],
  [
    "UPDATE leads SET source = 'web' WHERE source IS NULL",
    ["reads all rows of leads: add constraints as NOT VALID, and change rows in batches with a job"],
  ],
  [
    "ALTER TABLE leads ADD COLUMN token uuid DEFAULT gen_random_uuid()",
    expect.arrayContaining(["writes all rows of leads again while it is locked"]),
  ],
  [
    "ALTER TABLE leads ALTER COLUMN score TYPE int",
    expect.arrayContaining([
      "writes all rows of leads again while it is locked",
      "changes the type of leads.score",
    ]),
  ],
  [
    "ALTER TABLE leads ALTER COLUMN source SET NOT NULL",
    expect.arrayContaining(["forbids null in leads.source"]),
  ],
  ["ALTER TABLE leads ALTER COLUMN score DROP DEFAULT", ["removes the default of leads.score"]],
  ["ALTER TABLE leads DROP COLUMN source", ["removes leads.source"]],
  ["ALTER TABLE notices RENAME COLUMN body TO text", expect.arrayContaining(["removes notices.body"])],
  ["DROP FUNCTION parley_add_log_days", ["removes the function parley_add_log_days(regclass,date,integer)"]],
  [
    "ALTER TABLE leads ADD COLUMN stars int NOT NULL",
    expect.arrayContaining(["adds leads.stars, which the previous version does not set"]),
  ],
  [
    `${noTransaction}VACUUM FULL leads`,
    [
      "only CREATE INDEX CONCURRENTLY, DROP INDEX CONCURRENTLY, VALIDATE CONSTRAINT and ANALYZE run without a transaction",
    ],
  ],
])("judges %s", async (sql, problems) => {
  expect(await findProblems(client, migrationOf("2_change", sql), "ROLLBACK")).toEqual(problems);
  await client.query("DROP INDEX IF EXISTS leads_source"); // Created without a transaction.
});

it("allows a migration to remove something if its name says so", async () => {
  const migration = migrationOf("2_leads_contract", "ALTER TABLE leads DROP COLUMN source");
  expect(await findProblems(client, migration, "ROLLBACK")).toEqual([]);
});

// The last test, because its changes stay.
it("can be upgraded while the previous version serves requests", async () => {
  const problems: [string, string[]][] = [];
  for (const migration of later) problems.push([migration.name, await findProblems(client, migration)]);
  expect(problems).toEqual(later.map(({ name }) => [name, []]));
});

function migrationOf(name: string, sql: string): Migration {
  return { name, sql, file: "", checksum: "", inTransaction: !sql.startsWith(noTransaction) };
}
