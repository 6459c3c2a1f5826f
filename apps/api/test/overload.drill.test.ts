/** Requests that a busy server refuses. */
import { request } from "node:http";
import type { Schemas } from "@parley/contract";
import { connect } from "@parley/database";
import { scrape } from "@parley/testing/scrape";
import { soon } from "@parley/webhooks/testing";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { as, asPlatform, startApi, type TestApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

let api: TestApi;
/** Server with the same database, whose statements time out soon. */
let impatient: TestApi;
let client: Awaited<ReturnType<typeof connect>>;
let flooding: Tenant;
let healthy: Tenant;
beforeAll(async () => {
  api = await startApi({
    DATABASE_POOL_SIZE: "30",
    MAX_REQUESTS_IN_FLIGHT: "10",
    MAX_CONCURRENT_SEARCHES: "1",
    METRICS_PORT: "0",
  });
  impatient = await startApi({ DATABASE_URL: api.databaseUrl, DATABASE_STATEMENT_TIMEOUT_MS: "500" });
  client = await connect(api.databaseUrl);
});
afterAll(async () => {
  await client.end();
  await impatient.close();
  await api.close();
});
beforeEach(async () => {
  [flooding, healthy] = [await createTenant(api.db), await createTenant(api.db)];
});

const list = (tenant: Tenant, query = "", server = api) => as(server, tenant)("GET", `/api/v1/leads${query}`);

/** Lets requests for leads wait. */
async function blockLeads(): Promise<void> {
  await client.query("BEGIN");
  await client.query("LOCK TABLE leads IN ACCESS EXCLUSIVE MODE");
}

async function waitingReach(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const rows = await api.db.$queryRaw<object[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(rows).toHaveLength(count);
  }, soon);
}

const statuses = async (responses: Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status).toSorted((a, b) => a - b);

test("refuses an organization with many requests in flight, and not the others, nor health checks and tokens", async () => {
  await blockLeads();
  const held = Array.from({ length: 10 }, () => list(flooding));
  await waitingReach(10);
  const refused = await list(flooding);
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { error: "server_error", error_description: "The server is overloaded. Retry after a few seconds." },
  ]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  const platform = asPlatform(api, flooding.organizationId);
  expect((await platform("PUT", "/leads/crm-1", {})).status).toBe(503);
  expect((await as(api, healthy)("GET", "/api/v1/me")).status).toBe(200);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  const token = await fetch(`${api.url}/api/oauth/token`, { method: "POST" });
  expect(token.status).toBeLessThan(500);
  expect(await scrape(api.metricsUrl)).toMatchObject({
    'parley_http_requests_refused_total{reason="overload"}': 2,
    'parley_http_requests_refused_total{reason="searches"}': 0,
  });
  await client.query("COMMIT");
  expect(await statuses(held)).toEqual(Array.from({ length: 10 }, () => 200));
  expect((await list(flooding)).status).toBe(200);
});

test("does not count requests whose clients left before they were authenticated", async () => {
  await client.query("BEGIN");
  await client.query("LOCK TABLE oauth_tokens IN ACCESS EXCLUSIVE MODE");
  const token = flooding.token;
  const sent = Array.from({ length: 25 }, () =>
    request(`${api.url}/api/v1/leads`, { agent: false, headers: { authorization: `Bearer ${token}` } }).end(),
  );
  for (const each of sent) each.on("error", () => undefined);
  await waitingReach(25);
  for (const each of sent) each.destroy();
  await client.query("COMMIT");
  await vi.waitFor(async () => expect((await list(flooding)).status).toBe(200), soon);
  expect((await as(api, healthy)("GET", "/api/v1/me")).status).toBe(200);
});

test("does not count requests that wait for events", async () => {
  const { meta } = (await (
    await as(api, flooding)("GET", "/api/v1/events?cursor=latest")
  ).json()) as Schemas["EventFeed"];
  const waiting: Promise<Response>[] = [];
  while (waiting.length < 25) {
    for (let i = 0; i < 5; i += 1) {
      waiting.push(as(api, flooding)("GET", `/api/v1/events?wait=5&cursor=${meta.next_cursor}`));
    }
    // Until these wait, they count.
    await vi.waitFor(async () => expect((await list(flooding)).status).toBe(200), { timeout: 20_000 });
  }
  expect(new Set(await statuses(waiting))).toEqual(new Set([200]));
});

test("refuses further searches while as many of the organization as allowed run and wait", async () => {
  await blockLeads();
  const held = Array.from({ length: 6 }, () => list(flooding, "?q=ada"));
  await waitingReach(1);
  const refused = await Promise.race(held);
  expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
    429,
    "1",
    {
      error: "rate_limit_exceeded",
      error_description:
        "Rate limit exceeded: the organization runs 1 searches at the same time. Retry after 60 seconds.",
    },
  ]);
  const others = list(healthy, "?q=ada");
  await waitingReach(2);
  await client.query("COMMIT");
  expect((await others).status).toBe(200);
  expect(await statuses(held)).toContain(200);
  expect(
    Number((await scrape(api.metricsUrl))['parley_http_requests_refused_total{reason="searches"}']),
  ).toBeGreaterThan(0);
});

test("stops a statement that takes too long", async () => {
  await blockLeads();
  const stopped = await list(flooding, "", impatient);
  expect([stopped.status, stopped.headers.get("retry-after"), await stopped.json()]).toEqual([
    503,
    "5",
    {
      error: "server_error",
      error_description:
        "The request took too long and was stopped. Use fewer or narrower filters, or cursor instead of offset.",
    },
  ]);
  await client.query("ROLLBACK");
  await vi.waitFor(async () => expect((await list(flooding, "", impatient)).status).toBe(200), soon);
});
