import { maintainRequestLog } from "@parley/database";
import { soon } from "@parley/webhooks/testing";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await startWorkerFixture();
});
afterEach(async () => {
  await fixture.pool.query("SELECT parley_drop_log_days('api_requests', current_date + 100)");
  await fixture.reset();
});
afterAll(() => fixture.close());

/** Inserts a request and a count for each of these days before today. */
async function insert(daysAgo: number[]): Promise<void> {
  const { pool, organizationId } = fixture;
  await pool.query(
    `INSERT INTO api_requests (id, organization_id, requested_at, method, route, status_code, duration_ms, request_id)
     SELECT uuidv7(), $1, current_date - days + interval '1 hour', 'GET', '/api/v1/me', 200, 1, days::text FROM unnest($2::int[]) AS days`,
    [organizationId, daysAgo],
  );
  await pool.query(
    `INSERT INTO api_request_counts (organization_id, minute, requests, errors, limited, dropped)
     SELECT $1, current_date - days + interval '1 hour', 1, 0, 0, 0 FROM unnest($2::int[]) AS days`,
    [organizationId, daysAgo],
  );
}

/** Returns the days before today with a request, and the days with a count. */
async function daysLeft(): Promise<{ requests: number[]; counts: number[] }> {
  const days = async (table: string, column: string) => {
    const { rows } = await fixture.pool.query<{ days: number }>(
      `SELECT current_date - ${column}::date AS days FROM ${table} ORDER BY 1`,
    );
    return rows.map((row) => row.days);
  };
  return {
    requests: await days("api_requests", "requested_at"),
    counts: await days("api_request_counts", "minute"),
  };
}

async function partitions(): Promise<string[]> {
  const { rows } = await fixture.pool.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'api_requests'::regclass ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

test("a worker creates partitions, moves requests of today into theirs, and removes old rows", async () => {
  await insert([0, 1, 3, 4, 10]);
  await fixture.startWorker({ REQUEST_LOG_DAYS: "3" });
  await vi.waitFor(async () => expect(await partitions()).toHaveLength(1 + 8), soon); // The default partition, today and the next 7 days.
  await vi.waitFor(
    async () => expect(await daysLeft()).toEqual({ requests: [0, 1, 3], counts: [0, 1, 3] }),
    soon,
  );
  const { rows } = await fixture.pool.query("SELECT request_id FROM api_requests_default ORDER BY 1");
  expect(rows).toEqual([{ request_id: "1" }, { request_id: "3" }]);
});

test("drops the partitions of old days", async () => {
  await fixture.pool.query("SELECT parley_add_log_days('api_requests', current_date - 10, 10)");
  await insert([0, 7, 8, 10]);
  await maintainRequestLog(fixture.pool, 7);
  expect(await daysLeft()).toEqual({ requests: [0, 7], counts: [0, 7] });
  expect(await partitions()).toHaveLength(1 + 8 + 7);
});

test("removes the entries of earlier days but keeps counts for a week when the log is switched off", async () => {
  await insert([0, 1, 7, 8]);
  await maintainRequestLog(fixture.pool, 0);
  expect(await daysLeft()).toEqual({ requests: [0], counts: [0, 1, 7] });
});

test("removes more counts than one statement deletes", async () => {
  await fixture.pool.query(
    `INSERT INTO api_request_counts (organization_id, minute, requests, errors, limited, dropped)
     SELECT $1, current_date - 9 - i * interval '1 minute', 1, 0, 0, 0 FROM generate_series(1, 2500) AS i`,
    [fixture.organizationId],
  );
  await maintainRequestLog(fixture.pool, 7);
  expect(await daysLeft()).toEqual({ requests: [], counts: [] });
});
