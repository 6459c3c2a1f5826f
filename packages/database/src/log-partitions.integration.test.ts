import type { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { connect, createPool } from "./client.ts";
import { maintainLogPartitions } from "./log-partitions.ts";
import { createTestDatabase } from "./testing/index.ts";

const fast = { pauseMs: 20 };

async function useLog() {
  const database = await createTestDatabase();
  const db = createPool(database.url, { poolSize: 2 });
  const other = await connect(database.url);
  onTestFinished(async () => {
    await other.end();
    await db.end();
    await database.release();
  });
  const has = async (day: number) => {
    const { rows } = await db.query<{ exists: boolean }>(
      "SELECT to_regclass('api_requests_' || to_char(current_date + $1::int, 'YYYYMMDD')) IS NOT NULL AS exists",
      [day],
    );
    return rows[0]?.exists;
  };
  return { db, other, has, maintain: () => maintainLogPartitions(db, "api_requests", 30, fast) };
}

/** Holds the locks of `pg_dump`. */
async function lockAsDump(client: Client): Promise<void> {
  await client.query("BEGIN; LOCK TABLE api_requests IN ACCESS SHARE MODE");
}

test("leaves the partition of a far day for later while a dump reads the log", async () => {
  const { db, other, has, maintain } = await useLog();
  await maintain();
  await db.query("SELECT parley_drop_log_days('api_requests', current_date + 100)");
  await db.query("SELECT parley_add_log_days('api_requests', current_date, 6)");
  await lockAsDump(other);
  await maintain();
  expect([await has(6), await has(7)]).toEqual([true, false]);
  await other.query("COMMIT");
  await maintain();
  expect(await has(7)).toBe(true);
});

test("fails if the partition of tomorrow is missing, and succeeds after the dump", async () => {
  const { other, has, maintain } = await useLog();
  await lockAsDump(other);
  await expect(maintain()).rejects.toThrow("another session locks the table");
  await other.query("COMMIT");
  await maintain();
  expect(await has(1)).toBe(true);
});

test("fails if an old partition cannot be dropped for a day", async () => {
  const { db, other, has, maintain } = await useLog();
  await maintain();
  const addOld = (days: number) =>
    db.query("SELECT parley_add_log_days('api_requests', current_date - $1::int, 0)", [days]);
  await addOld(31);
  await lockAsDump(other);
  await maintain();
  await other.query("COMMIT");
  await addOld(32);
  await lockAsDump(other);
  await expect(maintain()).rejects.toThrow("another session locks the table");
  await other.query("COMMIT");
  await maintain();
  expect([await has(-31), await has(-32)]).toEqual([false, false]);
});

test("moves rows that are added to the default partition meanwhile", async () => {
  const { db, other, maintain } = await useLog();
  await other.query(
    `BEGIN;
     INSERT INTO api_requests (id, organization_id, requested_at, method, route, status_code, duration_ms, request_id)
     SELECT uuidv7(), uuidv7(), now(), 'GET', '/api/v1/me', 200, 1, 'a'`,
  );
  const maintained = maintain();
  await untilWaiting(db);
  await other.query("COMMIT");
  await maintained;
  const { rows } = await db.query("SELECT count(*)::int FROM ONLY api_requests_default");
  expect(rows).toEqual([{ count: 0 }]);
});

/** Waits until a session waits for a lock of the log. */
async function untilWaiting(db: { query: Client["query"] }): Promise<void> {
  for (let waiting = 0; waiting === 0; ) {
    const { rows } = await db.query<{ count: number }>(
      "SELECT count(*)::int FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    waiting = rows[0]?.count ?? 0;
  }
}
