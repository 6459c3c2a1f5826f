import { randomBytes } from "node:crypto";
import { connect, createDatabase, createPool, type Database } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { startErasures } from "@parley/erasure";
import { createSecretBox } from "@parley/webhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { completion } from "../src/commands/erase.ts";
import { runInProcess } from "../src/testing/command-line.ts";

let database: TestDatabase;
let db: Database;
let organization: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2 });
  const bot = { name: "Sales assistant", model: "parley-large" };
  const data = { name: "Umbrella", plan: "pro", chatbots: { create: bot } };
  const { id, chatbots } = await db.organization.create({ data, include: { chatbots: true } });
  organization = id;
  const owned = { organizationId: id, chatbotId: chatbots[0]?.id ?? "" };
  await db.lead.create({ data: { ...owned, externalId: "crm-1", contactEmail: "Ada@example.com" } });
  const message = { organizationId: id, role: "visitor", text: "Hello" };
  await db.conversation.create({
    data: { ...owned, visitorEmail: "ada@example.com", messages: { create: message } },
  });
  await db.lead.create({ data: { ...owned, contactEmail: "ben@example.com" } });
});
afterAll(async () => {
  await db.$disconnect();
  await database.release();
});

const erase = (...args: string[]) =>
  runInProcess({ DATABASE_URL: database.url }, ["erase", "--organization", organization, ...args]);

test("without --yes, shows what would be erased, and erases nothing", async () => {
  const { code, stdout, stderr } = await erase("--email", "ADA@example.com");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(
    "This would permanently erase 1 leads, 1 conversations, 1 messages, 0 message feedback,",
  );
  expect(stderr).toContain("Add --yes to confirm.");
  expect(await db.erasure.count()).toBe(0);
});

test.each([
  ["Give the person: --email or --external-id.", []],
  ["cannot be used with option '--email <email>'", ["--email", "ada@example.com", "--external-id", "crm-1"]],
])("fails with exit code 2: %s", async (message, args) => {
  const { code, stderr } = await erase(...args, "--yes");
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test.each([
  ["crm-1", false],
  ["deleted", true],
])("says whether no lead has the external ID %s", async (externalId, isMissing) => {
  const { stderr } = await erase("--external-id", externalId);
  expect(stderr.includes("No lead has this external ID.")).toBe(isMissing);
});

test("an unknown organization fails", async () => {
  const unknown = "01928c5e-7a10-7c44-8d21-0b6de2f0a001";
  const args = ["erase", "--organization", unknown, "--email", "ada@example.com", "--yes"];
  const { code, stderr } = await runInProcess({ DATABASE_URL: database.url }, args);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`No organization ${unknown} exists.`)]);
});

test("says that no worker runs the erasure, and a worker that starts later completes it", async () => {
  const stored = await erase("--email", "ada@example.com", "--yes", "--no-wait", "--json");
  const pending = JSON.parse(stored.stdout) as { id: string };
  expect(pending).toMatchObject({ status: "pending", completed_at: null });
  const progress = vi.spyOn(console, "error").mockReturnValue();
  const waiting = completion(db, pending.id, true, { pollEveryMs: 10, longestUntakenMs: 100 });
  await expect(waiting).rejects.toThrow(`No worker runs the erasure ${pending.id}.`);
  expect(progress).toHaveBeenCalledExactlyOnceWith("pending: 0 removed");
  progress.mockRestore();

  const pool = createPool(database.url, { poolSize: 4 });
  const log = { info() {}, warn() {}, error() {} };
  const secretBox = createSecretBox(randomBytes(32));
  const worker = startErasures({
    db: pool,
    connect: () => connect(database.url),
    records: db,
    secretBox,
    log,
    failed() {},
    everyMs: 20,
  });
  const done = await erase("--email", "ada@example.com", "--yes", "--json");
  const withoutLead = await erase("--external-id", "deleted", "--yes", "--json");
  await worker.stop();
  await pool.end();
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect([withoutLead.code, withoutLead.stderr]).toEqual([
    0,
    "No lead has this external ID. If the lead was deleted, erase with --email.\n",
  ]);
  expect(JSON.parse(done.stdout)).toMatchObject({
    id: pending.id,
    status: "completed",
    report: { leads: 1, conversations: 1, messages: 1 },
  });
  expect(await db.lead.findMany({ select: { contactEmail: true } })).toEqual([
    { contactEmail: "ben@example.com" },
  ]);
  const audited = await db.auditEntry.findMany({ orderBy: { id: "asc" } });
  expect(audited.map(({ event }) => event)).toEqual([
    "erasure.requested",
    "erasure.completed",
    "erasure.requested",
    "erasure.completed",
  ]);
  expect(JSON.stringify(audited)).not.toContain("example.com");
});
