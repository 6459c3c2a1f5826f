import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { conformingFetch } from "@parley/contract/testing";
import { createDatabase } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { type ParleyProcess, startApiProcess } from "@parley/testing/parley-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

let database: TestDatabase;
let tenant: Tenant;
beforeAll(async () => {
  database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 1 });
  tenant = await createTenant(db);
  await db.$disconnect();
});
afterAll(() => database.release());

const fetch = conformingFetch();

async function start(delayMs: number, variables: Record<string, string> = {}): Promise<ParleyProcess> {
  return startApiProcess({
    DATABASE_URL: database.url,
    SHUTDOWN_DELAY_MS: String(delayMs),
    ...variables,
  });
}

/** Opens a keep-alive connection like a proxy. */
async function open({ url }: ParleyProcess): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined); // Cut off by the server.
  await once(socket, "connect");
  return socket;
}

/** Sends text on a connection; resolves with the head of the response. */
async function exchange(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [response] = (await once(socket, "data")) as [Buffer];
  return response.toString().split("\r\n\r\n")[0] ?? "";
}

/** Resolves when the server accepts no more connections. */
function stopsListening(api: ParleyProcess): Promise<void> {
  const isRefused = () =>
    open(api).then(
      (socket) => socket.destroy() === undefined,
      (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
    );
  return expect.poll(isRefused, { interval: 20, timeout: 10_000 }).toBe(true);
}

/** Resolves when the server fails the readiness check. */
function shutsDown({ url }: ParleyProcess): Promise<void> {
  return expect
    .poll(async () => (await fetch(`${url}/readyz`)).status, { interval: 20, timeout: 30_000 })
    .toBe(503);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: api\r\n\r\n`;

/** Returns a request that creates a lead: its head, which the server confirms with 100 Continue, and its body. */
function createLead(): [string, string] {
  const body = JSON.stringify({ chatbot_id: tenant.chatbotId, contact: { name: "Ada Novak" } });
  const head = [
    "POST /api/v1/leads HTTP/1.1",
    "Host: api",
    `Authorization: Bearer ${tenant.token}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
    "\r\n",
  ].join("\r\n");
  return [head, body];
}

async function millisecondsUntil(event: Promise<unknown>): Promise<number> {
  const from = performance.now();
  await event;
  return performance.now() - from;
}

test("fails the readiness check immediately, and handles all other requests until the delay ends", async () => {
  const api = await start(1_500);
  const idle = await open(api);
  const used = await open(api);
  await exchange(used, get("/healthz"));

  api.signal("SIGTERM");
  await shutsDown(api);
  const notReady = await fetch(`${api.url}/readyz`);
  expect(await notReady.json()).toMatchObject({ error_description: "The server is shutting down." });
  const headers = { authorization: `Bearer ${tenant.token}` };
  expect((await fetch(`${api.url}/api/v1/leads`, { headers })).status).toBe(200);
  expect(await exchange(used, get("/healthz"))).toMatch(/200 OK.*keep-alive/is);

  await stopsListening(api);
  expect(await exchange(used, get("/healthz"))).toMatch(/200 OK.*connection: close/is);
  await once(used, "close");
  expect(await millisecondsUntil(once(idle, "close"))).toBeLessThan(4_000);
  expect(await api.exited).toBe(0);
});

test("finishes a request in progress, closes its connection and exits, also with idle connections", async () => {
  const api = await start(0);
  for (let i = 0; i < 20; i += 1) await exchange(await open(api), get("/healthz"));
  const [head, body] = createLead();
  const busy = await open(api);
  expect(await exchange(busy, head)).toContain("100 Continue");

  api.signal("SIGTERM");
  await stopsListening(api);
  expect(await exchange(busy, body)).toMatch(/201 Created.*connection: close/is);
  expect(await millisecondsUntil(api.exited)).toBeLessThan(5_000);
  expect(await api.exited).toBe(0);
});

test("aborts a hanging request after SHUTDOWN_TIMEOUT_MS", async () => {
  const api = await start(0, { SHUTDOWN_TIMEOUT_MS: "1000" });
  const hanging = await open(api);
  expect(await exchange(hanging, createLead()[0])).toContain("100 Continue");
  api.signal("SIGINT");
  const waited = await millisecondsUntil(api.exited);
  expect(waited).toBeGreaterThan(900);
  expect(waited).toBeLessThan(5_000);
});

test("exits immediately on a second signal", async () => {
  const api = await start(60_000);
  api.signal("SIGTERM");
  await shutsDown(api);
  api.signal("SIGTERM");
  expect(await millisecondsUntil(api.exited)).toBeLessThan(2_000);
  expect(await api.exited).toBe(1);
});
