import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { as, createTenant, startApi, type TestApi } from "./kit.ts";

/** A real Redis; where there is none these tests are skipped, but not in CI, which installs it. */
const installed = hasRedis();
if (!installed) {
  const words = "redis-server is not installed: the tests of rate limits across processes are skipped";
  if (process.env["CI"]) throw new Error(words);
  console.warn(words);
}

describe.skipIf(!installed)("rate limits counted in Redis", () => {
  let redis: ChildProcess;
  let apis: [TestApi, TestApi];

  beforeAll(async () => {
    const port = await freePort();
    redis = spawn("redis-server", [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--save",
      "",
      "--appendonly",
      "no",
    ]);
    const url = `redis://127.0.0.1:${port}`;
    apis = [await startApi({ REDIS_URL: url }), await startApi({ REDIS_URL: url })];
  });
  afterAll(async () => {
    redis.kill("SIGKILL");
    for (const api of apis) await api.close();
  });

  test("are one count for all processes, and requests go through when Redis is away", async () => {
    const [one, two] = apis;
    const tenant = await createTenant(one.db, { plan: "starter" });
    // The second server has a database of its own; the same organization exists there too.
    const twin = await createTenant(two.db, { plan: "starter", organizationId: tenant.organizationId });
    await vi.waitFor(async () => {
      const answer = await as(one, tenant)("GET", "/api/v1/me");
      expect(answer.headers.get("x-ratelimit-limit")).toBe("100");
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
});

function hasRedis(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
