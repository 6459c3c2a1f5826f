import { randomUUID } from "node:crypto";
import { type ApiRequestEntry, connect, createDatabase, recordRequests } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { soon } from "@parley/webhooks/testing";
import { expect, test, vi } from "vitest";
import { RequestBuffer } from "../src/http/request-buffer.ts";
import { asPlatform, startApi } from "../src/testing/api-server.ts";
import { startDatabaseProxy } from "../src/testing/database-proxy.ts";
import { createTenant } from "../src/testing/factories.ts";

test("logs the requests of an outage of the database when it is back", async () => {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.url);
  const api = await startApi({ DATABASE_URL: proxy.url });
  const { organizationId } = await createTenant(api.db);
  const call = asPlatform(api, organizationId);
  const write = async () => (await call("PUT", "/chatbots/bot", { name: "Bot", model: "m" })).status;
  expect(await write()).toBe(200);

  await proxy.disconnect();
  for (let i = 0; i < 3; i += 1) expect(await write()).toBe(503);
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // Several attempts to write fail.
  await proxy.reconnect();
  await vi.waitFor(async () => {
    const entries = await api.db.apiRequest.findMany({ orderBy: { requestedAt: "asc" } });
    expect(entries.map(({ statusCode }) => statusCode)).toEqual([200, 503, 503, 503]);
  }, soon);
  const [counts] = await api.db.$queryRaw<object[]>`
    SELECT sum(requests)::int AS requests, sum(errors)::int AS errors, sum(dropped)::int AS dropped FROM api_request_counts`;
  expect(counts).toEqual({ requests: 4, errors: 3, dropped: 0 });
  await api.close();
  await proxy.disconnect();
  await database.release();
});

/** Buffer that writes to a test database, and the lines that it logs. */
const requestedAt = Date.now();
const minute = new Date(requestedAt - (requestedAt % 60_000));

async function startBuffer() {
  const database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 2 });
  const { organizationId } = await createTenant(db);
  const lines: [level: string, details: object, text: string | undefined][] = [];
  const buffer = new RequestBuffer((entries, counts) => recordRequests(db, entries, counts), true, {
    info: (details: object, text?: string) => void lines.push(["info", details, text]),
    warn: (details: object, text?: string) => void lines.push(["warn", details, text]),
  });
  const entry = (route: string): ApiRequestEntry => ({
    id: randomUUID(),
    organizationId,
    requestedAt,
    method: "GET",
    route,
    statusCode: 429,
    durationMs: 1,
    clientId: null,
    userId: null,
    grantId: null,
    requestId: "x",
    errorCode: null,
    errorDescription: null,
  });
  const close = async () => {
    await db.$disconnect();
    await database.release();
  };
  return { databaseUrl: database.url, db, lines, buffer, entry, organizationId, close };
}

test("counts and logs entries that the database rejects, with one warning, and writes later ones", async () => {
  const { db, lines, buffer, entry, organizationId, close } = await startBuffer();
  await db.$executeRaw`ALTER TABLE api_requests RENAME TO moved`;
  for (let i = 0; i < 700; i += 1) buffer.add(entry("rejected"));
  await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
  await new Promise((resolve) => setTimeout(resolve, 1_200)); // Further attempts fail, without another warning.
  expect(lines).toEqual([["warn", { err: expect.any(Error) }, "request log not written; retrying"]]);
  await db.$executeRaw`ALTER TABLE moved RENAME TO api_requests`;
  await vi.waitFor(() => expect(lines).toHaveLength(2), soon);
  expect(lines[1]).toEqual(["info", { dropped: 700 }, "request log is written again"]);

  buffer.add(entry("written"));
  await buffer.close(60_000);
  expect(await db.apiRequest.findMany({ select: { route: true } })).toEqual([{ route: "written" }]);
  expect(await db.apiRequestCount.findMany()).toEqual([
    {
      organizationId,
      minute,
      requests: 701,
      errors: 701,
      limited: 701,
      dropped: 700,
    },
  ]);
  await close();
});

test("drops and counts entries that could not be written for 5 minutes", async () => {
  const { db, lines, buffer, entry, close } = await startBuffer();
  buffer.add({ ...entry("old"), requestedAt: requestedAt - 5 * 60_000 - 1 });
  buffer.add(entry("new"));
  await buffer.close(60_000);
  expect(await db.apiRequest.findMany({ select: { route: true } })).toEqual([{ route: "new" }]);
  const counts = await db.apiRequestCount.findMany({ orderBy: { minute: "asc" } });
  expect(counts.map(({ requests, dropped }) => [requests, dropped])).toEqual([
    [1, 1],
    [1, 0],
  ]);
  expect(lines[1]).toEqual(["info", { dropped: 1 }, "request log is written again"]);
  await close();
});

test("drops and counts entries when the buffer is full, with one warning", async () => {
  const { databaseUrl, db, lines, buffer, entry, close } = await startBuffer();
  const blocker = await connect(databaseUrl);
  await blocker.query("BEGIN; LOCK TABLE api_requests IN ACCESS EXCLUSIVE MODE");
  for (let i = 0; i < 10_400; i += 1) buffer.add(entry("kept"));
  const text = "request log entries are dropped: too many requests";
  expect(lines).toEqual([["warn", { err: undefined }, text]]);
  await blocker.end();
  await vi.waitFor(() => expect(lines).toHaveLength(2), soon);
  expect(lines[1]).toEqual(["info", { dropped: 400 }, "request log is written again"]);
  buffer.add(entry("later"));
  await buffer.close(60_000);
  expect(await db.apiRequest.count({ where: { route: "kept" } })).toBe(10_000);
  expect(await db.apiRequest.count({ where: { route: "later" } })).toBe(1);
  const counts = { requests: 10_401, errors: 10_401, limited: 10_401, dropped: 400 };
  expect(await db.apiRequestCount.findMany()).toEqual([expect.objectContaining(counts)]);
  await close();
});

test("writes entries that arrive while a slow batch is written", async () => {
  const { databaseUrl, db, buffer, entry, close } = await startBuffer();
  const blocker = await connect(databaseUrl);
  await blocker.query("BEGIN; LOCK TABLE api_requests IN ACCESS EXCLUSIVE MODE");
  buffer.add(entry("first"));
  const waits = "SELECT FROM pg_locks WHERE relation = 'api_requests'::regclass AND NOT granted";
  await vi.waitFor(async () => expect((await blocker.query(waits)).rowCount).toBe(1), soon);
  buffer.add(entry("second"));
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // The timer of the second one ends during the write.
  await blocker.end();
  await vi.waitFor(async () => expect(await db.apiRequest.count()).toBe(2), soon);
  await close();
});

test("gives up at shutdown when the time is over", async () => {
  const { databaseUrl, lines, buffer, entry, close } = await startBuffer();
  const blocker = await connect(databaseUrl);
  await blocker.query("BEGIN; LOCK TABLE api_requests IN ACCESS EXCLUSIVE MODE");
  buffer.add(entry("lost"));
  await buffer.close(100); // Ends although the table is locked.
  expect(lines).toEqual([["warn", { entries: 1 }, "request log not written at shutdown"]]);
  await blocker.end();
  await close();
});
