import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testServerUrl } from "../testing/index.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { checkDrift } from "./check-drift.ts";

it("finds that the migrations lead to schema.prisma", async () => {
  expect(await checkDrift(testServerUrl())).toBe("");
});

const folder = makeTestFolder();

function write(migration: string): [migrations: string, schema: string] {
  mkdirSync(join(folder, "migrations/1_start"), { recursive: true });
  writeFileSync(join(folder, "migrations/migration_lock.toml"), 'provider = "postgresql"');
  writeFileSync(join(folder, "migrations/1_start/migration.sql"), migration);
  const model =
    'model Log {\n day DateTime @db.Date\n id Int\n word String\n @@id([day, id])\n @@map("log")\n}';
  writeFileSync(join(folder, "schema.prisma"), `datasource db {\n provider = "postgresql"\n}\n${model}`);
  return [join(folder, "migrations"), join(folder, "schema.prisma")];
}

const table =
  "CREATE TABLE log (day date NOT NULL, id int NOT NULL, word text NOT NULL, PRIMARY KEY (day, id))";

it("finds what is missing, and says it in SQL", async () => {
  expect(await checkDrift(testServerUrl(), ...write(`${table.replace("word text NOT NULL,", "")};`))).toBe(
    '-- AlterTable\nALTER TABLE "log" ADD COLUMN     "word" TEXT NOT NULL;',
  );
});

it("bears with what Prisma has no words for", async () => {
  const extras = `
    ${table} PARTITION BY RANGE (day);
    CREATE TABLE log_default PARTITION OF log DEFAULT WITH (fillfactor = 50);
    CREATE TABLE log_2026 PARTITION OF log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
    CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;
    CREATE INDEX log_some ON log (id) WHERE id > 3;
    CREATE UNIQUE INDEX log_lower ON log (day, lower(word));
    ALTER TABLE log ADD CONSTRAINT log_word CHECK (word <> '');
    CREATE SEQUENCE numbers;
    CREATE VIEW words AS SELECT word FROM log;`;
  expect(await checkDrift(testServerUrl(), ...write(extras))).toBe("");
});
