import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect } from "./client.ts";
import { createTestDatabase } from "./testing/index.ts";

/** The tables whose primary key has no organization, by docs/performance.md. */
function documentedTables(): string[] {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/performance.md"), "utf8");
  const [, keys = ""] = page.split("### Keys\n");
  const firstCells = [...keys.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell);
  return firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, table = ""]) => table));
}

test("docs/performance.md lists every table whose primary key has no organization, and why", async () => {
  const database = await createTestDatabase();
  const client = await connect(database.url);
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
       AND relname NOT LIKE '\\_prisma%' AND NOT EXISTS (
         SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
         WHERE indrelid = pg_class.oid AND indisprimary AND attname = 'organization_id')`,
  );
  await client.end();
  await database.release();
  expect(documentedTables().toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});
