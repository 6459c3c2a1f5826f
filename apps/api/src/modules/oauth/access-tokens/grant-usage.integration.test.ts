import { createDatabase, type Database } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTenant } from "../../../testing/factories.ts";
import { createGrantUsage } from "./grant-usage.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 1 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.release();
});

const fail = (error: unknown) => {
  throw error;
};

test("writes each grant once a minute, and never an earlier minute", async () => {
  let now = Date.parse("2026-03-30T10:00:30Z");
  const { grantId } = await createTenant(db);
  await db.oAuthGrant.update({ where: { id: grantId }, data: { createdAt: new Date(now - 3_600_000) } });
  const lastUsed = async () =>
    (await db.oAuthGrant.findUniqueOrThrow({ where: { id: grantId } })).lastUsedAt?.toISOString();
  const [usage, slower] = [
    createGrantUsage(db, () => now, fail),
    createGrantUsage(db, () => now - 60_000, fail),
  ];

  usage.record(grantId);
  await usage.flush();
  expect(await lastUsed()).toBe("2026-03-30T10:00:00.000Z");
  slower.record(grantId);
  await slower.flush();
  expect(await lastUsed()).toBe("2026-03-30T10:00:00.000Z");

  await db.oAuthGrant.update({ where: { id: grantId }, data: { lastUsedAt: null } });
  now += 29_000;
  usage.record(grantId);
  await usage.flush();
  expect(await lastUsed()).toBeUndefined(); // The same minute is not written again.
  now += 1_000;
  usage.record(grantId);
  await usage.flush();
  expect(await lastUsed()).toBe("2026-03-30T10:01:00.000Z");
});

test("writes no use that is earlier than the grant", async () => {
  const createdAt = new Date("2026-03-30T10:00:30.250Z");
  const { grantId } = await createTenant(db);
  await db.oAuthGrant.update({ where: { id: grantId }, data: { createdAt } });
  const usage = createGrantUsage(db, () => createdAt.getTime() + 5_000, fail);
  usage.record(grantId);
  await usage.flush();
  expect((await db.oAuthGrant.findUniqueOrThrow({ where: { id: grantId } })).lastUsedAt).toEqual(createdAt);
});
