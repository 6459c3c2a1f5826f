import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTenant, type Tenant } from "@parley/api/testing/factories";
import { connect, createDatabase, prepareDatabase } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { findInstalled } from "@parley/testing/installed";
import { type ParleyProcess, startApiProcess, startWorkerProcess } from "@parley/testing/parley-process";
import { startPgBouncer } from "@parley/testing/pgbouncer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const program = findInstalled("pgbouncer", "tests with a connection pooler");

describe.skipIf(program === null)("behind PgBouncer in transaction mode", () => {
  let database: TestDatabase;
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let processes: ParleyProcess[] = [];
  let tenant: Tenant;
  const received: { type: string; data: { id: string } }[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      received.push(JSON.parse(body));
      response.end();
    });
  });

  beforeAll(async () => {
    database = await createTestDatabase();
    const db = createDatabase(database.url, { poolSize: 1 });
    tenant = await createTenant(db);
    await db.$disconnect();
    pooler = await startPgBouncer(program ?? "", database.url);
    const variables = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.url,
      WEBHOOKS_ALLOW_LOOPBACK: "true",
      SHUTDOWN_DELAY_MS: "0",
    };
    processes = [
      await startApiProcess(variables),
      await startApiProcess(variables),
      await startWorkerProcess(variables),
    ];
    await once(receiver.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    receiver.close();
    await pooler.stop();
    await database.release();
  });

  /** Sends a request to the first or the second API. Repeats it once if the server is too busy, like other clients. */
  async function send(...request: Parameters<typeof sendOnce>): ReturnType<typeof sendOnce> {
    const answer = await sendOnce(...request);
    return answer.status === 503 ? sendOnce(...request) : answer;
  }

  async function sendOnce(api: 0 | 1, method: string, path: string, body?: object, headers?: object) {
    const response = await fetch(`${processes[api]?.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${tenant.token}`, "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      ...((await response.json()) as { data: { id: string }; meta: { total: number } }),
    };
  }

  test("writes, delivers, repeats and lists as without it", async () => {
    const { port } = receiver.address() as AddressInfo;
    const subscription = { target_url: `http://127.0.0.1:${port}/`, event_types: ["lead.created"] };
    expect(await send(0, "POST", "/webhooks/subscribe", subscription)).toMatchObject({ status: 201 });
    const start = new Date().toISOString();
    const ids = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const lead = { chatbot_id: tenant.chatbotId, contact: { name: `Lead ${i}` } };
        const key = { "idempotency-key": `lead-${i}` };
        const [first, repeated] = [
          await send((i % 2) as 0 | 1, "POST", "/leads", lead, key),
          await send(((i + 1) % 2) as 0 | 1, "POST", "/leads", lead, key),
        ];
        expect([first.status, repeated.data.id]).toEqual([201, first.data.id]);
        return first.data.id;
      }),
    );
    await expect.poll(() => received.length, { timeout: 60_000 }).toBe(60);
    expect(received.map(({ data }) => data.id).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      ids.toSorted((a, b) => (a < b ? -1 : 1)),
    );
    expect((await send(1, "GET", `/leads?since=${start}&limit=1`)).meta.total).toBe(60);
  });

  test("notifies a request that waits for events", async () => {
    const latest = (await (
      await fetch(`${processes[0]?.url}/api/v1/events?limit=1`, {
        headers: { authorization: `Bearer ${tenant.token}` },
      })
    ).json()) as { meta: { next_cursor: string } };
    const startedAt = performance.now();
    const waiting = send(
      0,
      "GET",
      `/events?wait=20&cursor=${encodeURIComponent(latest.meta.next_cursor)}&event_types=ticket.created`,
    );
    const ticket = {
      chatbot_id: tenant.chatbotId,
      subject: "No sound",
      description: "The speaker is silent.",
    };
    await send(1, "POST", "/tickets", ticket);
    expect(await waiting).toMatchObject({ status: 200, data: [{ type: "ticket.created" }] });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test("runs an erasure, with its lock on a connection that no one else uses", async () => {
    const [client, other] = [await connect(database.url), await connect(database.url)];
    await client.query(
      `INSERT INTO events (id, organization_id, type, body, created_at)
       VALUES (uuidv7(), $1, 'lead.created', '{"email":"ada@example.com"}', now())`,
      [tenant.organizationId],
    );
    await other.query("BEGIN; SELECT 1 FROM events FOR KEY SHARE"); // The erasure waits for this.
    await client.query(
      "INSERT INTO erasures (organization_id, subject_type, subject) VALUES ($1, 'email', 'ada@example.com')",
      [tenant.organizationId],
    );
    const waiting = () =>
      client.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT id FROM events WHERE id = ANY%'");
    await expect.poll(async () => (await waiting()).rows.length, { timeout: 60_000 }).toBeGreaterThan(0);
    const locks = async () => {
      const { rows } = await client.query<{ query: string }>(
        `SELECT query FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ExclusiveLock'`,
      );
      return rows.map(({ query }) => query);
    };
    expect(await locks()).toEqual([expect.stringContaining("pg_try_advisory_lock")]);
    await other.query("COMMIT");
    const status = async () => (await client.query("SELECT status FROM erasures")).rows;
    await expect.poll(status, { timeout: 60_000 }).toEqual([{ status: "completed" }]);
    await expect.poll(locks, { timeout: 60_000 }).toEqual([]);
    await Promise.all([client.end(), other.end()]);
  });

  test("fails no step of the worker", async () => {
    const metrics = await (await fetch(`${processes[2]?.url}/metrics`)).text();
    const failures = metrics
      .split("\n")
      .filter((line) => /^parley_(worker_step|job)_failures_total\{/.test(line));
    expect(failures.length).toBeGreaterThan(5);
    expect(failures.filter((line) => !line.endsWith(" 0"))).toEqual([]);
  });

  test("stops a revoked token in both processes", async () => {
    for (const api of [0, 1] as const) expect((await send(api, "GET", "/leads")).status).toBe(200);
    const client = await connect(database.url);
    await client.query("UPDATE oauth_grants SET revoked_at = now() WHERE id = $1", [tenant.grantId]);
    await client.end();
    for (const api of [0, 1] as const) {
      await expect.poll(async () => (await send(api, "GET", "/leads")).status, { timeout: 60_000 }).toBe(401);
    }
  });
});

test.skipIf(program === null)("refuses connections with another time zone, with the remedy", async () => {
  const database = await createTestDatabase();
  const pooler = await startPgBouncer(program ?? "", database.url, "Asia/Tokyo");
  await expect(prepareDatabase({ url: pooler.url, directUrl: database.url, pooler: true })).rejects.toThrow(
    "The connections of DATABASE_URL use the time zone Asia/Tokyo, not UTC. If DATABASE_URL leads to PgBouncer, add timezone=UTC",
  );
  await pooler.stop();
  await database.release();
});
