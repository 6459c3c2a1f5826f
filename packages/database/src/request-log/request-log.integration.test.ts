import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteOrganization } from "../accounts/delete-organization.ts";
import { createDatabase, type Database } from "../client.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { type ApiRequestFilter, listApiRequests } from "./list-requests.ts";
import { type ApiRequestCounts, type ApiRequestEntry, recordRequests } from "./record-requests.ts";
import { requestCounts } from "./request-counts.ts";

let database: TestDatabase;
let db: Database;
let organizationId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 4 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.release();
});
beforeEach(async () => {
  organizationId = (await db.organization.create({ data: { name: "Acme" } })).id;
});

const noon = Date.parse("2026-03-01T12:00:00Z");

/** Returns an entry at a number of seconds after noon. */
function entry(seconds: number, values: Partial<ApiRequestEntry> = {}): ApiRequestEntry {
  return {
    id: randomUUID(),
    organizationId,
    requestedAt: noon + seconds * 1_000,
    method: "GET",
    route: "/api/v1/leads",
    statusCode: 200,
    durationMs: 12,
    clientId: "app",
    userId: randomUUID(),
    grantId: randomUUID(),
    requestId: `request ${seconds}`,
    errorCode: null,
    errorDescription: null,
    ...values,
  };
}

const counts = (values: Partial<ApiRequestCounts> = {}): ApiRequestCounts => ({
  organizationId,
  minute: noon,
  requests: 3,
  errors: 2,
  limited: 1,
  dropped: 0,
  ...values,
});

/** Returns the request IDs of all pages, and the number of rows of each page. */
async function readAll(filter: Partial<ApiRequestFilter>, limit: number) {
  const found: string[] = [];
  const sizes: number[] = [];
  for (let after: { time: string; id: string } | undefined; ; ) {
    const page = await listApiRequests(db, { organizationId, ...filter }, { limit, after });
    found.push(...page.rows.map(({ requestId }) => requestId));
    sizes.push(page.rows.length);
    expect(page.hasMore).toBe(page.next !== null);
    if (!page.next) return { found, sizes };
    after = page.next;
  }
}

describe("recordRequests", () => {
  it("adds counts, and records the same entry once", async () => {
    const entries = [entry(1), entry(2)];
    const later = new Date(noon + 60_000);
    await recordRequests(db, entries, [counts(), counts({ minute: later.getTime() })]);
    await recordRequests(db, [...entries, entry(3)], [counts({ dropped: 5 })]);
    expect((await readAll({}, 10)).found).toEqual(["request 3", "request 2", "request 1"]);
    expect(await requestCounts(db, organizationId, new Date(noon), new Date(noon + 120_000))).toEqual([
      { minute: new Date(noon), requests: 6, errors: 4, limited: 2, dropped: 5 },
      { minute: later, requests: 3, errors: 2, limited: 1, dropped: 0 },
    ]);
    expect(await requestCounts(db, organizationId, later, later)).toEqual([]);
  });

  it("ignores unknown organizations", async () => {
    const unknown = { organizationId: randomUUID() };
    await recordRequests(db, [entry(1), entry(2, unknown)], [counts(unknown), counts()]);
    expect((await readAll({}, 10)).found).toEqual(["request 1"]);
    expect(await db.apiRequest.count({ where: unknown })).toBe(0);
    expect(await db.apiRequestCount.count({ where: unknown })).toBe(0);
  });

  it("records batches of several processes with the same organizations and minutes without deadlocks", async () => {
    const others = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, i) => (await db.organization.create({ data: { name: `${i}` } })).id,
      ),
    );
    const all = others.flatMap((id) =>
      [0, 1, 2].map((minute) => counts({ organizationId: id, minute: noon + minute * 60_000 })),
    );
    const processes = Array.from({ length: 4 }, async (_, process) => {
      for (let i = 0; i < 20; i += 1) {
        await recordRequests(db, [], process % 2 === 0 ? all : all.toReversed());
      }
    });
    await Promise.all(processes);
    const stored = await db.apiRequestCount.findMany({ where: { organizationId: { in: others } } });
    expect(stored.map(({ requests }) => requests)).toEqual(all.map(() => 240));
  });

  it("leaves no row of an organization that is deleted at the same time", async () => {
    let isDeleted = false;
    const deletion = deleteOrganization(db, organizationId, { operator: "root" }).finally(() => {
      isDeleted = true;
    });
    for (let i = 0; !isDeleted || i < 5; i += 1) await recordRequests(db, [entry(i)], [counts()]);
    await deletion;
    await recordRequests(db, [entry(1_000)], [counts()]);
    expect(await db.apiRequest.count({ where: { organizationId } })).toBe(0);
    expect(await db.apiRequestCount.count({ where: { organizationId } })).toBe(0);
  });
});

describe("listApiRequests", () => {
  it("returns pages, newest first, also of requests at the same time", async () => {
    const other = await db.organization.create({ data: { name: "Other" } });
    const entries = [0, 0, 0, 1, 1, 2, 2, 2, 2].map((seconds, i) => entry(seconds, { requestId: `${i}` }));
    await recordRequests(db, [...entries, entry(1, { organizationId: other.id })], []);
    const newestFirst = entries.toSorted((a, b) => b.requestedAt - a.requestedAt || (a.id < b.id ? 1 : -1));
    for (const limit of [1, 2, 3, 9, 10]) {
      const { found, sizes } = await readAll({}, limit);
      expect(found).toEqual(newestFirst.map(({ requestId }) => requestId));
      expect(sizes).toHaveLength(Math.ceil(9 / limit));
    }
    const ofOther = await listApiRequests(db, { organizationId: other.id }, { limit: 10 });
    expect(ofOther).toMatchObject({ rows: [{ requestId: "request 1" }], hasMore: false, next: null });
  });

  it.each<[Partial<ApiRequestFilter>, string[]]>([
    [{ clientId: "other app" }, ["b"]],
    [{ clientId: null }, ["c"]],
    [{ method: "POST" }, ["h", "d"]],
    [{ route: "/api/v1/me" }, ["e"]],
    [{ status: "errors" }, ["h", "g", "f"]],
    [{ status: "2xx" }, ["e", "d", "c", "b", "a"]],
    [{ status: "4xx" }, ["g", "f"]],
    [{ status: "5xx" }, ["h"]],
    [{ status: "429" }, ["g"]],
    [{ requestId: "f" }, ["f"]],
    [{ requestId: "none" }, []],
    [{ since: new Date(noon + 6_000) }, ["h", "g"]],
    [{ until: new Date(noon + 2_000) }, ["b", "a"]],
    [{ status: "errors", method: "POST", clientId: "app", since: new Date(noon) }, ["h"]],
  ])("filters by %j", async (filter, expected) => {
    const values: Partial<ApiRequestEntry>[] = [
      {},
      { clientId: "other app" },
      { clientId: null, userId: null, grantId: null },
      { method: "POST" },
      { route: "/api/v1/me" },
      { statusCode: 400 },
      { statusCode: 429 },
      { statusCode: 503, method: "POST" },
    ];
    const entries = values.map((value, i) => entry(i, { requestId: "abcdefgh"[i] ?? "", ...value }));
    await recordRequests(db, entries, []);
    for (const limit of [1, 2, 50]) expect((await readAll(filter, limit)).found).toEqual(expected);
  });

  it("stops after 10,000 requests, and continues there", async () => {
    await db.$executeRaw`
      INSERT INTO api_requests (id, organization_id, requested_at, method, route, status_code, duration_ms, client_id, request_id)
      SELECT uuidv7(), ${organizationId}::uuid, '2026-03-01T12:00:00Z'::timestamptz + i * interval '1 second',
             CASE WHEN i IN (1, 5001, 5002, 15000) THEN 'DELETE' ELSE 'GET' END, '/api/v1/leads/{id}', 200, 1, 'app', i
      FROM generate_series(1, 25000) AS i`;
    const list = (limit: number, after?: { time: string; id: string }) =>
      listApiRequests(db, { organizationId, method: "DELETE" }, { limit, after });
    const first = await list(10);
    expect(first).toMatchObject({ rows: [], hasMore: true });
    expect(first.next?.time).toBe(new Date(noon + 15_001_000).toISOString()); // The 10,000th from the end.
    // Exactly one search is between 15,000 and 5,001, which is its last request.
    const second = await list(10, first.next ?? undefined);
    expect(second.rows.map(({ requestId }) => requestId)).toEqual(["15000", "5002", "5001"]);
    expect([second.hasMore, second.next?.time]).toEqual([true, new Date(noon + 5_001_000).toISOString()]);
    const third = await list(10, second.next ?? undefined);
    expect(third).toMatchObject({ rows: [{ requestId: "1" }], hasMore: false, next: null });
    for (const limit of [1, 2, 3]) {
      expect((await readAll({ method: "DELETE" }, limit)).found).toEqual(["15000", "5002", "5001", "1"]);
    }
  });
});
