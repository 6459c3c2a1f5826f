/** Time of reads and writes of the request log with five million entries, of which one organization has nine in ten. */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import {
  type ApiRequestFilter,
  createDatabase,
  type Database,
  listApiRequests,
  recordRequests,
  requestCounts,
} from "@parley/database";
import type { Client } from "pg";
import { runBench } from "./harness/bench.ts";
import { printTable, withSpread } from "./harness/report.ts";
import { createTenant, withClient } from "./harness/seed.ts";

const days = 7;
const rare = { clientId: "rare-client", method: "DELETE", route: "/api/v1/leads/{id}" };
const minuteMs = 60_000;

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const organizationId = await withClient(databaseUrl, (client) =>
    seed(client, bench.quick ? 50_000 : 5_000_000),
  );
  const db = createDatabase(databaseUrl, { poolSize: 1 });
  const rows: string[][] = [];
  for (const [name, read] of Object.entries(reads(db, organizationId))) {
    rows.push([name, ...(await measure(read, bench.quick ? 10 : 200))]);
  }
  printTable(["ms", "median", "p99", "rows"], rows);
  const { cpuUs, elapsedUs } = await measureWrites(db, organizationId, bench.quick ? 5 : 200);
  await db.$disconnect();
  console.log(`writing: ${cpuUs} µs of CPU in the API and ${elapsedUs} µs until the result, for each entry`);
});

/** Returns the reads by name; each resolves to the number of rows. */
function reads(db: Database, organizationId: string): Record<string, () => Promise<number>> {
  const list = (filter: Partial<ApiRequestFilter>) => async () =>
    (await listApiRequests(db, { organizationId, ...filter }, { limit: 50 })).rows.length;
  const now = Date.now();
  return {
    "no filter": list({}),
    yesterday: list({ until: new Date(now - 24 * 60 * minuteMs) }),
    client: list({ clientId: "common-client" }),
    "rare client": list({ clientId: rare.clientId }),
    "rare route and method": list({ route: rare.route, method: rare.method }),
    errors: list({ status: "errors" }),
    "5xx, one in 100 errors": list({ status: "5xx" }),
    "errors of a rare client": list({ status: "errors", clientId: rare.clientId }),
    "request ID": list({ requestId: "request 4000001" }),
    "unknown request ID": list({ requestId: "none" }),
    "counts of an hour": async () =>
      (await requestCounts(db, organizationId, new Date(now - 60 * minuteMs), new Date(now))).length,
    "counts of 7 days": async () =>
      (await requestCounts(db, organizationId, new Date(now - days * 24 * 60 * minuteMs), new Date(now)))
        .length,
  };
}

async function measure(read: () => Promise<number>, times: number): Promise<string[]> {
  let rows = 0;
  const durations: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const from = performance.now();
    rows = await read();
    durations.push(performance.now() - from);
  }
  durations.sort((a, b) => a - b);
  const at = (fraction: number) => (durations[Math.floor(times * fraction)] ?? 0).toFixed(1);
  return [at(0.5), at(0.99), String(rows)];
}

/** Writes batches of 500 entries, as the API does. Creating the entries is not measured. */
async function measureWrites(db: Database, organizationId: string, batches: number) {
  const size = 500;
  const cpuUs: number[] = [];
  const elapsedUs: number[] = [];
  for (let i = 0; i < batches; i += 1) {
    const requestedAt = Date.now();
    const entries = Array.from({ length: size }, () => ({
      id: randomUUID(),
      organizationId,
      requestedAt,
      method: "GET",
      route: rare.route,
      statusCode: 200,
      durationMs: 12,
      clientId: "common-client",
      userId: organizationId,
      grantId: organizationId,
      requestId: randomUUID(),
      errorCode: null,
      errorDescription: null,
    }));
    const counts = [
      {
        organizationId,
        minute: requestedAt - (requestedAt % minuteMs),
        requests: size,
        errors: 0,
        limited: 0,
        dropped: 0,
      },
    ];
    const [from, cpuBefore] = [performance.now(), process.cpuUsage()];
    await recordRequests(db, entries, counts);
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuUs.push((user + system) / size);
    elapsedUs.push(((performance.now() - from) * 1_000) / size);
  }
  return { cpuUs: withSpread(cpuUs, 1), elapsedUs: withSpread(elapsedUs, 1) };
}

/** Fills the log and the counts of the last days. @returns the organization with most entries */
async function seed(client: Client, count: number): Promise<string> {
  const { organizationId } = await createTenant(client);
  await createTenant(client);
  await client.query("SELECT parley_add_log_days('api_requests', current_date - $1::int, $1)", [days]);
  await client.query(
    `INSERT INTO api_requests (id, organization_id, requested_at, method, route, status_code, duration_ms, client_id, user_id, grant_id,
                               request_id, error_code, error_description)
     SELECT uuidv7(), CASE WHEN i % 10 = 0 THEN other.id ELSE $1::uuid END,
            now() - ($2::int - i) * (make_interval(days => $3) / $2), CASE WHEN i = 7 THEN $4 ELSE 'GET' END, $5,
            CASE WHEN i % 2000 = 1 THEN 500 WHEN i % 20 = 3 THEN 400 ELSE 200 END, 12, CASE WHEN i = 7 THEN $6 ELSE 'common-client' END,
            uuidv7(), uuidv7(), 'request ' || i,
            CASE WHEN i % 20 = 3 THEN 'invalid_request' END,
            CASE WHEN i % 20 = 3 THEN 'query/limit must be an integer from 1 to 100' END
     FROM (SELECT id FROM organizations WHERE id <> $1 LIMIT 1) AS other, generate_series(1, $2) AS i`,
    [organizationId, count, days, rare.method, rare.route, rare.clientId],
  );
  await client.query(
    `INSERT INTO api_request_counts (organization_id, minute, requests, errors, limited, dropped)
     SELECT $1, date_trunc('minute', now()) - i * interval '1 minute', 500, 25, 0, 0
     FROM generate_series(0, $2::int * 24 * 60) AS i`,
    [organizationId, days],
  );
  await client.query("VACUUM ANALYZE api_requests, api_request_counts");
  await client.query("CHECKPOINT");
  return organizationId;
}
