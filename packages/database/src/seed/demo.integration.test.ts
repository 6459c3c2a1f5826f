import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, createDatabase, type Database } from "../client.ts";
import { databaseAddress } from "../config.ts";
import { prepareDatabase } from "../prepare.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { seedDemo } from "./demo.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2, transactionTimeoutMs: 1_500 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.release();
});

test("fills an empty database, even if that takes longer than the timeout of transactions, and does not change a database with data", async () => {
  const busy = await connect(database.url);
  await busy.query("BEGIN; LOCK TABLE meetings IN EXCLUSIVE MODE");
  const seeded = seedDemo(db);
  seeded.catch(() => {}); // Awaited below.
  const waiting = () =>
    db.$queryRaw`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%meetings%'`;
  await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1);
  await setTimeout(1_800); // Longer than the timeout above.
  await busy.query("COMMIT");
  await busy.end();

  expect(await seeded).toBe(true);
  expect(await db.organization.count()).toBe(4);
  expect(await seedDemo(db)).toBe(false);
  expect(await db.organization.count()).toBe(4);
});

test("a production server does not start with the demo's public credentials", async () => {
  const other = await createTestDatabase();
  await prepareDatabase(databaseAddress({ DATABASE_URL: other.url }));
  await other.release();
  await seedDemo(db);
  await expect(prepareDatabase(databaseAddress({ DATABASE_URL: database.url }))).rejects.toThrow(
    "whose passwords are public. Use an empty database.",
  );
});
