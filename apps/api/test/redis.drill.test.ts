import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createAuthority } from "@parley/testing/certificates";
import { freePort } from "@parley/testing/free-port";
import { findInstalled } from "@parley/testing/installed";
import { makeTestFolder } from "@parley/testing/test-folder";
import Fastify, { type FastifyInstance } from "fastify";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectRedis } from "../src/http/redis.ts";
import { createThrottle } from "../src/modules/oauth/sessions/create-throttle.ts";
import { as, startApi, type TestApi } from "../src/testing/api-server.ts";
import { createTenant } from "../src/testing/factories.ts";

const installed = findInstalled("redis-server", "tests of rate limits across processes") !== null;

describe.skipIf(!installed)("rate limits counted in Redis", () => {
  let redis: ChildProcess;
  let apis: [TestApi, TestApi];
  let app: FastifyInstance;
  let connection: Redis | undefined;

  beforeAll(async () => {
    const port = await freePort();
    redis = startRedis(port);
    const url = `redis://127.0.0.1:${port}`;
    apis = [await startApi({ REDIS_URL: url }), await startApi({ REDIS_URL: url })];
    app = Fastify();
    connection = connectRedis(app, url);
    await app.ready();
    await vi.waitUntil(() => connection?.status === "ready", { timeout: 10_000 });
    for (const api of apis) await untilCounted(api);
  });
  afterAll(async () => {
    redis.kill("SIGKILL");
    await app.close();
    for (const api of apis) await api.close();
  });

  test("counts failed attempts of all processes together", async () => {
    const options = { name: "test", windowMs: 60_000, clock: Date.now, redis: connection };
    const [here, there] = [createThrottle(options), createThrottle(options)];
    const limits = [
      { key: "somebody@example.com", failures: 10 },
      { key: "192.0.2.1", failures: 50 },
    ];
    const attempts = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? here : there).attempt(limits),
    );
    const waits = await Promise.all(attempts);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    const [wait = 0] = waits.filter((other) => other !== 0);
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(60_000);

    await here.forgive(limits);
    expect(await there.attempt(limits)).toBe(0);
    expect(await here.attempt(limits)).toBeGreaterThan(0);
    const other = createThrottle({ ...options, name: "other" });
    expect(await other.attempt(limits)).toBe(0);
    expect((await connection?.keys("*"))?.join()).not.toContain("example.com");
  });

  test("counts wrong client secrets of both servers", async () => {
    const ask = (index: number) => {
      const { url, fetch } = apis[index % 2 === 0 ? 0 : 1];
      const fields = { grant_type: "refresh_token", refresh_token: "x", client_id: "guessed" };
      const body = new URLSearchParams({ ...fields, client_secret: `guess ${index}` });
      return fetch(`${url}/api/oauth/token`, { method: "POST", body });
    };
    const statuses = [];
    for (let index = 0; index < 12; index += 1) statuses.push((await ask(index)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test("counts requests of all processes together, and does not limit them while Redis is unavailable", async () => {
    const [one, two] = apis;
    const tenant = await createTenant(one.db, { plan: "starter" });
    // The second server has its own database, with the same organization.
    const twin = await createTenant(two.db, { plan: "starter", organizationId: tenant.organizationId });
    await vi.waitFor(async () => {
      const response = await as(one, tenant)("GET", "/api/v1/me");
      expect(response.headers.get("x-ratelimit-limit")).toBe("100");
    });
    const here = Array.from({ length: 60 }, () => as(one, tenant)("GET", "/api/v1/me"));
    const there = Array.from({ length: 60 }, () => as(two, twin)("GET", "/api/v1/me"));
    const statuses = (await Promise.all([...here, ...there])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(100);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);

    redis.kill("SIGKILL");
    await once(redis, "exit");
    expect((await as(one, tenant)("GET", "/api/v1/me")).status).toBe(200);
  });

  test("counts failed attempts per process while Redis is unavailable, without waiting for it", async () => {
    const startedAt = performance.now();
    const throttle = createThrottle({ name: "a", windowMs: 60_000, clock: Date.now, redis: connection });
    const limits = [{ key: "somebody", failures: 2 }];
    expect(await throttle.attempt(limits)).toBe(0);
    expect(await throttle.attempt(limits)).toBe(0);
    expect(await throttle.attempt(limits)).toBeGreaterThan(0);
    await throttle.forgive(limits);
    expect(await throttle.attempt(limits)).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(2_500);
  });
});

describe.skipIf(!installed)("the connection to Redis", () => {
  /** Returns a server with captured logs and a connection to a Redis. */
  function connectedTo(url: string) {
    const lines: string[] = [];
    const app = Fastify({ logger: { level: "info", stream: { write: (line) => void lines.push(line) } } });
    const connection = connectRedis(app, url);
    onTestFinished(() => app.close());
    const messages = () => lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    return { app, connection, messages, logged: () => lines.join("") };
  }

  test("survives a start that blocks the event loop longer than the command timeout", async () => {
    const port = await freePort();
    await listening(startRedis(port));
    const { app, connection, messages } = connectedTo(`redis://127.0.0.1:${port}`);
    for (let step = 0; step < 3; step += 1) {
      await new Promise((resolve) => process.nextTick(resolve));
      for (const until = performance.now() + 600; performance.now() < until; ); // As compiling the validators does.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await app.ready();
    await vi.waitUntil(() => connection?.status === "ready", { timeout: 10_000 });
    expect(messages()).toEqual([]);
  });

  test("logs once that Redis is unavailable, and once that it is available again", async () => {
    const port = await freePort();
    const { app, connection, messages } = connectedTo(`redis://:hunter2@127.0.0.1:${port}`);
    await app.ready();
    let attempts = 0;
    connection?.on("reconnecting", () => (attempts += 1));
    await vi.waitUntil(() => attempts >= 3, { timeout: 10_000 });
    const message =
      `Redis at 127.0.0.1:${port} (REDIS_URL) is unavailable: connect ECONNREFUSED 127.0.0.1:${port}. ` +
      "Until it is back, requests are not rate-limited and each process counts failed sign-ins separately.";
    expect(messages()).toEqual([expect.objectContaining({ level: 50, msg: message })]);

    await listening(startRedis(port, "--requirepass", "hunter2"));
    await vi.waitUntil(() => connection?.status === "ready", { timeout: 20_000 });
    expect(messages().slice(1)).toEqual([
      expect.objectContaining({
        level: 30,
        msg: `Redis at 127.0.0.1:${port} (REDIS_URL) is available again.`,
      }),
    ]);
  });

  test("logs reasons that alternate once each", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      connections += 1;
      if (connections % 2 === 0) socket.resetAndDestroy();
      else socket.on("data", () => socket.write("-LOADING Redis is loading\r\n".repeat(3)));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { app, connection, messages } = connectedTo(`redis://127.0.0.1:${port}`);
    await app.ready();
    const attempts = vi.fn<() => void>();
    connection?.on("reconnecting", attempts);
    await vi.waitUntil(() => attempts.mock.calls.length >= 5, { timeout: 20_000 });
    const logged = messages().map(({ msg }) => msg);
    expect(logged.length).toBeGreaterThan(1);
    expect(new Set(logged).size).toBe(logged.length);
  });

  test("logs a changed reason, but not the password", async () => {
    const port = await freePort();
    const { app, messages, logged } = connectedTo(`redis://:hunter2@127.0.0.1:${port}`);
    await app.ready();
    await vi.waitUntil(() => logged().includes("ECONNREFUSED"), { timeout: 10_000 });
    await listening(startRedis(port, "--requirepass", "right"));
    await vi.waitUntil(() => logged().includes("WRONGPASS"), { timeout: 20_000 });
    expect(messages().every(({ msg }) => msg.includes("is unavailable: "))).toBe(true);
    expect(logged()).not.toContain("hunter2");
  });
});

describe.skipIf(!installed)("TLS to Redis", () => {
  const folder = makeTestFolder();
  const authority = createAuthority(folder, "ca");
  const { cert, key } = authority.issue("redis", { commonName: "localhost", names: ["DNS:localhost"] });
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const tls = ["--port", "0", "--tls-port", String(port), "--tls-cert-file", cert, "--tls-key-file", key];
    const redis = startRedis(port, ...tls, "--tls-auth-clients", "no", "--requirepass", "hunter2");
    await untilListening(redis);
    return () => void redis.kill("SIGKILL");
  });

  /** Connects in a separate process, because Node.js reads NODE_EXTRA_CA_CERTS when it starts. Returns the first line it logs. */
  function connectWith(url: string, ca?: string): string {
    const script = `
      import Fastify from "fastify";
      import { connectRedis } from "./http/redis.ts";
      const print = (line) => { console.log(JSON.parse(line).msg); process.exit(); };
      const app = Fastify({ logger: { stream: { write: print } } });
      const redis = connectRedis(app, process.env.URL);
      redis.on("ready", async () => { console.log(await redis.ping()); process.exit(); });
      await app.ready();`;
    return execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: join(import.meta.dirname, "../src"),
      env: { URL: url, ...(ca && { NODE_EXTRA_CA_CERTS: ca }) },
      encoding: "utf8",
      timeout: 20_000,
    });
  }

  test("is used with rediss:// and verified with the CA in NODE_EXTRA_CA_CERTS", () => {
    expect(connectWith(`rediss://:hunter2@localhost:${port}`, authority.ca)).toBe("PONG\n");
  });

  test.each([
    ["of an unknown CA", () => connectWith(`rediss://:hunter2@localhost:${port}`), /unable to|self-signed/],
    [
      "of another host",
      () => connectWith(`rediss://:hunter2@127.0.0.1:${port}`, authority.ca),
      "does not match certificate's altnames",
    ],
  ])(
    "refuses a certificate %s, and logs the variable and the cause without the password",
    (_, connect, cause) => {
      const line = connect();
      expect(line).toMatch(/^Redis at \S+ \(REDIS_URL\) is unavailable: /);
      expect(line).toMatch(cause);
      expect(line).not.toContain("hunter2");
    },
  );
});

/** Waits until a server counts requests, which it does once it is connected to Redis. */
async function untilCounted(api: TestApi): Promise<void> {
  const tenant = await createTenant(api.db);
  await vi.waitFor(
    async () => {
      const response = await as(api, tenant)("GET", "/api/v1/me");
      expect(response.headers.get("x-ratelimit-limit")).toBe("1000");
    },
    { timeout: 10_000 },
  );
}

/** Starts a Redis without persistence. */
function startRedis(port: number, ...options: string[]): ChildProcess {
  const common = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  return spawn("redis-server", [...common, ...options]);
}

/** Waits until a Redis accepts connections. It ends with the test. */
async function listening(redis: ChildProcess): Promise<void> {
  onTestFinished(() => void redis.kill("SIGKILL"));
  await untilListening(redis);
}

async function untilListening(redis: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: redis.stdout as Readable })) {
    if (line.includes("Ready to accept connections")) return;
  }
}
