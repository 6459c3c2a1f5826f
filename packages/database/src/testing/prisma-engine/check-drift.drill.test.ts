import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect } from "../../client.ts";
import { createTestDatabase, type TestDatabase } from "../index.ts";
import { checkDrift } from "./check-drift.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.release());

async function execute(sql: string): Promise<void> {
  const client = await connect(database.url);
  await client.query(sql);
  await client.end();
}

// If this fails after a change of schema.prisma, the output is the missing migration.
it("finds no difference between the migrations and schema.prisma", async () => {
  expect(await checkDrift(database.url)).toBe("");
});

it("returns the missing SQL", async () => {
  await execute("ALTER TABLE leads DROP COLUMN source; DROP INDEX audit_log_organization_id_id_idx");
  expect(await checkDrift(database.url)).toBe(
    '-- AlterTable\nALTER TABLE "leads" ADD COLUMN     "source" TEXT;\n\n' +
      '-- CreateIndex\nCREATE INDEX "audit_log_organization_id_id_idx" ON "audit_log"("organization_id", "id");',
  );
});

it("ignores what Prisma cannot express", async () => {
  const model =
    'model Log {\n day DateTime @db.Date\n id Int\n word String\n @@id([day, id])\n @@map("log")\n}';
  const schema = join(makeTestFolder(), "schema.prisma");
  writeFileSync(schema, `datasource db {\n provider = "postgresql"\n}\n${model}`);
  await execute(`
    DROP SCHEMA public CASCADE;
    CREATE SCHEMA public;
    CREATE TABLE log (day date NOT NULL, id int NOT NULL, word text NOT NULL, PRIMARY KEY (day, id))
      PARTITION BY RANGE (day);
    CREATE TABLE log_default PARTITION OF log DEFAULT WITH (fillfactor = 50);
    CREATE TABLE log_2026 PARTITION OF log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
    CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;
    CREATE INDEX log_some ON log (id) WHERE id > 3;
    CREATE UNIQUE INDEX log_lower ON log (day, lower(word));
    ALTER TABLE log ADD CONSTRAINT log_word CHECK (word <> '');
    CREATE SEQUENCE numbers;
    CREATE VIEW words AS SELECT word FROM log;`);
  expect(await checkDrift(database.url, schema)).toBe("");
});
