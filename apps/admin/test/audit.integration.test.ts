import { setTimeout } from "node:timers/promises";
import { createDatabase, type Database, recordAudit } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { following } from "../src/audit/following.ts";
import { runInProcess } from "../src/testing/command-line.ts";

let database: TestDatabase;
let db: Database;
const mine = "0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b";
const ada = "0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1d";
const grantId = "0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1e";
const other = "0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1c";
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2 });
  const users = { create: { id: ada, email: "ada@umbrella.example", name: "Ada", passwordHash: "none" } };
  await db.organization.create({ data: { id: mine, name: "Umbrella", users } });
  const long = { createdAt: new Date("2026-01-01"), id: "019b76da-a800-7000-8000-000000000000" };
  await recordAudit(db, {
    event: "client.created",
    organizationId: mine,
    clientId: "a\u001B[31mb",
    details: { name: "A B" },
  });
  const issued = { event: "token.issued", organizationId: mine, userId: ada, address: "192.0.2.7" };
  await db.auditEntry.create({ data: { ...issued, ...long, grantId } });
  await recordAudit(db, { event: "client.deleted", organizationId: other, clientId: "c" });
});
afterAll(async () => {
  await db.$disconnect();
  await database.release();
});

async function events(...args: string[]): Promise<string[]> {
  const { code, stdout } = await runInProcess({ DATABASE_URL: database.url }, ["audit", ...args, "--json"]);
  expect(code).toBe(0);
  return JSON.parse(stdout).map(({ event }: { event: string }) => event);
}

test("selects entries by organization, event, group of events and time, newest last", async () => {
  expect(await events()).toEqual(["token.issued", "client.created", "client.deleted"]);
  expect(await events("--organization", mine)).toEqual(["token.issued", "client.created"]);
  expect(await events("--event", "client.*")).toEqual(["client.created", "client.deleted"]);
  expect(await events("--event", "client.created", "--event", "token.issued")).toHaveLength(2);
  expect(await events("--since", "24h")).toEqual(["client.created", "client.deleted"]);
  expect(await events("--since", "2025-12-31", "--limit", "2")).toEqual(["client.created", "client.deleted"]);
  expect(await events("--since", "2026-01-01")).toHaveLength(3);
  expect(await events("--since", "2026-01-01T00:00:00.001Z")).toHaveLength(2);
});

test("prints a table without control characters of names", async () => {
  const { stdout } = await runInProcess({ DATABASE_URL: database.url }, ["audit"]);
  expect(stdout).toMatch(/^TIME +EVENT +ORGANIZATION +USER +CLIENT +GRANT +ADDRESS +DETAILS$/m);
  expect(stdout).toMatch(
    /^2026-01-01 00:00:00Z {2}token\.issued +Umbrella +ada@umbrella\.example +- +\S+ +192\.0\.2\.7/m,
  );
  expect(stdout).toContain(grantId);
  expect(stdout).toContain(`client.deleted  ${other}`);
  expect(stdout).toMatch(/ a�\[31mb +- +- +name="A B"$/m);
  expect(stdout).not.toContain("\u001B");
});

test("follows new entries, each once, after the newest ones", async () => {
  const all = { organizationId: undefined, since: undefined, events: undefined };
  const entries = following(db, all, 1, () => setTimeout(10));
  const next = async () => (await entries.next()).value?.event;
  expect(await next()).toBe("client.deleted");
  await recordAudit(db, { event: "user.signed_in" });
  expect(await next()).toBe("user.signed_in");
  await recordAudit(db, { event: "user.signed_out" });
  await recordAudit(db, { event: "user.signed_in" });
  expect([await next(), await next()]).toEqual(["user.signed_out", "user.signed_in"]);
});
