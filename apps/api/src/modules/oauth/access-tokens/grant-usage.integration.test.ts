import { useTestDatabase } from "@parley/database/testing";
import { expect, test } from "vitest";
import { createTenant } from "../../../testing/factories.ts";
import { createGrantUsage } from "./grant-usage.ts";

const database = useTestDatabase(1);

const fail = (error: unknown) => {
  throw error;
};

test("writes each grant once a minute, and never an earlier minute", async () => {
  let now = Date.parse("2026-03-30T10:00:30Z");
  const { grantId } = await createTenant(database.db);
  await database.db.oAuthGrant.update({
    where: { id: grantId },
    data: { createdAt: new Date(now - 3_600_000) },
  });
  const lastUsed = async () =>
    (await database.db.oAuthGrant.findUniqueOrThrow({ where: { id: grantId } })).lastUsedAt?.toISOString();
  const [usage, slower] = [
    createGrantUsage(database.db, () => now, fail),
    createGrantUsage(database.db, () => now - 60_000, fail),
  ];

  usage.record(grantId);
  await usage.flush();
  expect(await lastUsed()).toBe("2026-03-30T10:00:00.000Z");
  slower.record(grantId);
  await slower.flush();
  expect(await lastUsed()).toBe("2026-03-30T10:00:00.000Z");

  await database.db.oAuthGrant.update({ where: { id: grantId }, data: { lastUsedAt: null } });
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
  const { grantId } = await createTenant(database.db);
  await database.db.oAuthGrant.update({ where: { id: grantId }, data: { createdAt } });
  const usage = createGrantUsage(database.db, () => createdAt.getTime() + 5_000, fail);
  usage.record(grantId);
  await usage.flush();
  expect((await database.db.oAuthGrant.findUniqueOrThrow({ where: { id: grantId } })).lastUsedAt).toEqual(
    createdAt,
  );
});
