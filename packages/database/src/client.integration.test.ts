import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, createDatabase, createPool } from "./client.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // The time zone farthest from UTC, for this database and every role.
  const client = await connect(database.url);
  const name = new URL(database.url).pathname.slice(1);
  await client.query(`ALTER DATABASE "${name}" SET timezone TO 'Pacific/Kiritimati'`);
  await client.query("CREATE TABLE moments (id int PRIMARY KEY, at timestamptz(3) NOT NULL)");
  await client.end();
});
afterAll(() => database.release());

const moment = new Date("2026-03-29T01:30:00.123Z");

describe.each([
  "",
  "?options=-c%20timezone%3DAsia%2FTokyo",
  "?application_name=other&options=-c%20work_mem%3D8MB",
])("a URL that ends in %j", (suffix) => {
  it("has Prisma sessions in UTC", async () => {
    const db = createDatabase(database.url + suffix);
    await db.$executeRaw`INSERT INTO moments VALUES (1, ${moment}) ON CONFLICT DO NOTHING`;
    expect(
      await db.$queryRaw`SELECT at, extract(epoch FROM at)::float AS seconds FROM moments WHERE id = 1`,
    ).toEqual([{ at: moment, seconds: moment.getTime() / 1000 }]);
    await db.$disconnect();
  });

  it("has pg sessions in UTC", async () => {
    const pool = createPool(database.url + suffix, { poolSize: 1 });
    const { rows } = await pool.query("SELECT $1::timestamptz AS at, current_setting('timezone') AS zone", [
      moment,
    ]);
    expect(rows).toEqual([{ at: moment, zone: "UTC" }]);
    await pool.end();
  });
});

it("keeps the other options of the URL", async () => {
  const client = await connect(`${database.url}?options=-c%20work_mem%3D8MB`);
  expect((await client.query("SHOW work_mem")).rows).toEqual([{ work_mem: "8MB" }]);
  await client.end();
});

it("prepares each statement once per connection, up to a limit", async () => {
  const db = createDatabase(database.url, { poolSize: 1 });
  const prepared = () => db.$queryRaw<[{ count: number }]>`SELECT count(*)::int FROM pg_prepared_statements`;
  await prepared();
  const [before] = await prepared();
  for (let value = 0; value < 5; value += 1) await db.$queryRaw`SELECT ${value}::int`;
  expect((await prepared())[0].count).toBe(before.count + 1);
  for (let value = 0; value < 600; value += 1) await db.$queryRawUnsafe(`SELECT ${value}`);
  expect((await prepared())[0].count).toBeLessThanOrEqual(500);
  await db.$disconnect();
});

it("opens at most the configured number of connections", async () => {
  const db = createDatabase(database.url, { poolSize: 2 });
  const pids = await Promise.all(
    Array.from(
      { length: 8 },
      () => db.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid, pg_sleep(0.02)::text`,
    ),
  );
  expect(new Set(pids.map(([row]) => row.pid)).size).toBe(2);
  await db.$disconnect();
});

it("survives connections that are terminated at any moment", async () => {
  const [db, pool] = [
    createDatabase(database.url, { poolSize: 4 }),
    createPool(database.url, { poolSize: 4 }),
  ];
  const killer = await connect(database.url);
  const uses = [
    () => db.$queryRaw`SELECT 1 AS one`,
    () => db.$transaction((tx) => tx.$queryRaw`SELECT 1 AS one`),
    async () => (await pool.query("SELECT 1 AS one")).rows,
  ];
  let isOver = false;
  async function useSteadily(use: () => Promise<unknown>): Promise<void> {
    while (!isOver) await use().catch(() => undefined);
  }
  const using = uses.flatMap((use) => [useSteadily(use), useSteadily(use)]);
  for (let times = 0; times < 100; times += 1) {
    await killer.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await sleep(10);
  }
  isOver = true;
  await Promise.all(using);
  for (const use of uses) await expect(use().catch(use)).resolves.toEqual([{ one: 1 }]);
  await Promise.all([db.$disconnect(), pool.end(), killer.end()]);
});
