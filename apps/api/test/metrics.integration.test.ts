import { randomBytes } from "node:crypto";
import { connect as openSocket } from "node:net";
import { operationTable } from "@parley/contract";
import { scrape } from "@parley/testing/scrape";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { as, startApi, useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const soon = { timeout: 30_000, interval: 20 };
const api = useApi({ METRICS_PORT: "0", DATABASE_POOL_SIZE: "2" });
let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant(api.db);
});

/** Returns by how much samples grow while `run` runs. */
async function growth(names: string[], run: () => Promise<unknown>): Promise<Record<string, number>> {
  const read = async () => {
    const samples = await scrape(api.metricsUrl);
    return names.map((name) => samples[name] ?? 0);
  };
  const before = await read();
  await run();
  await vi.waitFor(
    async () => expect((await scrape(api.metricsUrl))["parley_http_requests_in_flight"]).toBe(0),
    soon,
  );
  const after = await read();
  return Object.fromEntries(names.map((name, i) => [name, (after[i] ?? 0) - (before[i] ?? 0)]));
}

describe("the metrics of the API", () => {
  test("count requests by operation and status, with duration and error code", async () => {
    const call = as(api, tenant);
    const grown = await growth(
      [
        'parley_http_requests_total{operation="listLeads",status="200"}',
        'parley_http_requests_total{operation="listLeads",status="400"}',
        'parley_http_requests_total{operation="createLead",status="201"}',
        'parley_http_request_duration_seconds_count{operation="listLeads"}',
        'parley_http_request_duration_seconds_bucket{le="30",operation="listLeads"}',
        'parley_http_errors_total{error="invalid_request"}',
        'parley_http_errors_total{error="unauthorized"}',
        'parley_http_errors_total{error="insufficient_scope"}',
      ],
      async () => {
        expect((await call("GET", "/api/v1/leads")).status).toBe(200);
        expect((await call("GET", "/api/v1/leads?status=x")).status).toBe(400);
        const lead = { chatbot_id: tenant.chatbotId, contact: {} };
        expect((await call("POST", "/api/v1/leads", lead)).status).toBe(201);
        expect((await fetch(`${api.url}/api/v1/me`)).status).toBe(401);
        const other = await createTenant(api.db, { scopes: ["tickets:read"] });
        expect((await as(api, other)("GET", "/api/v1/leads")).status).toBe(403);
      },
    );
    expect(Object.values(grown)).toEqual([1, 1, 1, 3, 3, 1, 1, 1]);
  });

  test("start at 0 for every operation and error code", async () => {
    const fresh = await startApi({ METRICS_PORT: "0", DATABASE_URL: api.databaseUrl });
    const metrics = await scrape(fresh.metricsUrl);
    for (const { operationId, successStatus } of operationTable) {
      const labels = `{operation="${operationId}",status="${successStatus}"}`;
      expect([labels, metrics[`parley_http_requests_total${labels}`]]).toEqual([labels, 0]);
    }
    expect(metrics['parley_http_errors_total{error="server_error"}']).toBe(0);
    expect(metrics['parley_http_errors_total{error="invalid_grant"}']).toBe(0);
    await fresh.close();
  });

  test("have one value for all unknown paths, one for the other routes, and none for a caller's values", async () => {
    const random = randomBytes(8).toString("hex");
    const grown = await growth(
      [
        'parley_http_requests_total{operation="unknown_path",status="404"}',
        'parley_http_requests_total{operation="unknown_path",status="405"}',
        'parley_http_requests_total{operation="unknown_path",status="400"}',
        'parley_http_requests_total{operation="other",status="302"}',
        'parley_http_requests_total{operation="other",status="204"}',
      ],
      async () => {
        for (const path of ["", "/x", "/console/x"]) {
          expect((await fetch(`${api.url}/${random}${path}`)).status).toBe(404);
        }
        expect((await fetch(`${api.url}/api/v1/leads`, { method: "PUT" })).status).toBe(405);
        expect((await fetch(`${api.url}/${random}%zz`)).status).toBe(400);
        expect((await fetch(api.url, { redirect: "manual" })).status).toBe(302);
        const headers = { origin: "https://app.example", "access-control-request-method": "GET" };
        const preflight = await fetch(`${api.url}/api/v1/leads`, { method: "OPTIONS", headers });
        expect(preflight.status).toBe(204);
        await as(api, tenant)("GET", `/api/v1/leads?email=${random}@example.com`);
      },
    );
    expect(Object.values(grown)).toEqual([3, 1, 1, 1, 1]);
    expect(await (await fetch(`${api.metricsUrl}/metrics`)).text()).not.toContain(random);
  });

  test("show requests in flight, and count an aborted one as 499", async () => {
    const events = '{operation="listEvents",status="499"}';
    const { token } = await createTenant(api.db); // Without events, so that the request waits.
    const aborted = await growth([`parley_http_requests_total${events}`], async () => {
      const { port } = new URL(api.url);
      const socket = openSocket(Number(port), "127.0.0.1");
      socket.write(
        `GET /api/v1/events?wait=20 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      const inFlight = async () => (await scrape(api.metricsUrl))["parley_http_requests_in_flight"];
      await vi.waitFor(async () => expect(await inFlight()).toBe(1), soon);
      socket.destroy();
    });
    expect(Object.values(aborted)).toEqual([1]);
  });

  test("show the connections of the pool and how many queries wait", async () => {
    const metrics = async () => scrape(api.metricsUrl);
    const of = (name: string) => `parley_database_pool_${name}{pool="api"}`;
    const lock = await api.db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE leads IN ACCESS EXCLUSIVE MODE`;
      const waiting = Array.from({ length: 5 }, () => as(api, tenant)("GET", "/api/v1/leads"));
      await vi.waitFor(async () => {
        const now = await metrics();
        expect([now[of("connections")], now[of("idle_connections")]]).toEqual([2, 0]);
        expect(now[of("waiting")]).toBeGreaterThanOrEqual(3);
      }, soon);
      return waiting;
    });
    for (const { status } of await Promise.all(lock)) expect(status).toBe(200);
    await vi.waitFor(async () => expect((await metrics())[of("waiting")]).toBe(0), soon);
  });

  test("count hits and misses of the token cache, and entries of the request log", async () => {
    const fresh = await createTenant(api.db);
    const grown = await growth(
      [
        'parley_token_cache_lookups_total{result="hit"}',
        'parley_token_cache_lookups_total{result="miss"}',
        "parley_token_cache_entries",
        'parley_request_log_entries_total{result="dropped"}',
      ],
      async () => {
        for (let i = 0; i < 3; i += 1) await as(api, fresh)("GET", "/api/v1/me");
      },
    );
    expect(Object.values(grown)).toEqual([2, 1, 1, 0]);
    const written = 'parley_request_log_entries_total{result="written"}';
    await vi.waitFor(async () => {
      expect((await scrape(api.metricsUrl))[written]).toBeGreaterThanOrEqual(3);
    }, soon);
  });

  test("are not served on the public port, and not without METRICS_PORT", async () => {
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
    const plain = await startApi({ DATABASE_URL: api.databaseUrl });
    expect(plain.metricsUrl).toBeNull();
    await plain.close();
  });

  test("include the event-loop lag, and end with the server", async () => {
    const server = await startApi({ METRICS_PORT: "0", DATABASE_URL: api.databaseUrl });
    expect(await scrape(server.metricsUrl)).toHaveProperty("nodejs_eventloop_lag_p99_seconds");
    expect((await fetch(`${server.metricsUrl}/readyz`)).status).toBe(200);
    await server.close();
    await expect(fetch(`${server.metricsUrl}/metrics`)).rejects.toThrow("fetch failed");
  });
});
