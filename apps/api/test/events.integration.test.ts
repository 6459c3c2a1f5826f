import { setTimeout as sleep } from "node:timers/promises";
import { eventTypes, type Schemas, type Scope, scopeOfEvent } from "@parley/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { as, startApi, useApi } from "../src/testing/api-server.ts";
import { createTenant, issueToken, type Tenant } from "../src/testing/factories.ts";
import { beginChange, commitLate } from "../src/testing/slow-changes.ts";

type Feed = Schemas["EventFeed"] & { error?: string; error_description?: string };

const api = useApi({ DATABASE_POOL_SIZE: "16" });
let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant(api.db);
});

async function read(query: string | Record<string, string> = {}): Promise<Feed & { status: number }> {
  const response = await as(api, tenant)("GET", `/api/v1/events?${new URLSearchParams(query)}`);
  return { ...((await response.json()) as Feed), status: response.status };
}

async function createLead(score = 0, chatbot_id = tenant.chatbotId): Promise<string> {
  const response = await as(api, tenant)("POST", "/api/v1/leads", { chatbot_id, contact: {}, score });
  return ((await response.json()) as Schemas["LeadResponse"]).data.id;
}

const types = ({ data }: Feed) => data.map(({ type }) => type);

test("returns the events in order, each as in the body of its deliveries, without a subscription", async () => {
  const ids = [await createLead(), await createLead(90)];
  await as(api, tenant)("PATCH", `/api/v1/leads/${ids[0]}`, { score: 5 });
  const feed = await read();
  expect(types(feed)).toEqual([
    "lead.created",
    "lead.created",
    "lead.qualified",
    "lead.updated",
    "lead.score_changed",
  ]);
  expect(feed.meta).toEqual({
    api_version: "2024-01-01",
    limit: 20,
    has_more: false,
    count: 5,
    next_cursor: expect.any(String),
    event_types: eventTypes,
  });
  const { organizationId } = tenant;
  const rows = await api.db.event.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  expect(feed.data).toEqual(rows.map(({ body }) => JSON.parse(body)));
  for (const event of feed.data) {
    const response = await as(api, tenant)("GET", `/api/v1/events/${event.id}`);
    expect(((await response.json()) as Schemas["WebhookEventResponse"]).data).toEqual(event);
  }
});

test("continues at the cursor, also with events that did not exist yet", async () => {
  for (let i = 0; i < 5; i += 1) await createLead();
  const all = await read();
  const seen: string[] = [];
  let cursor = "";
  for (let more = true; more; ) {
    const page = await read({ limit: "2", ...(cursor && { cursor }) });
    seen.push(...page.data.map(({ id }) => id));
    ({ has_more: more, next_cursor: cursor } = page.meta);
  }
  expect(seen).toEqual(all.data.map(({ id }) => id));
  expect(types(await read({ cursor }))).toEqual([]);
  await createLead();
  const next = await read({ cursor });
  expect(types(next)).toEqual(["lead.created"]);
  expect(types(await read({ cursor: next.meta.next_cursor }))).toEqual([]);
});

test("a page of large events ends early, and the next one continues", async () => {
  await createLead();
  await api.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT uuidv7(), organization_id, type, replace(body, '"source":null', format('"source":"%s"', repeat('x', 250000))), now() - interval '1 hour'
    FROM events, generate_series(1, 39) WHERE organization_id = ${tenant.organizationId}::uuid`;
  const first = await read({ limit: "100" });
  expect([first.meta.count, first.meta.has_more]).toEqual([17, true]); // 16 have less than 4 MiB.
  const second = await read({ limit: "100", cursor: first.meta.next_cursor });
  const third = await read({ limit: "100", cursor: second.meta.next_cursor });
  expect([second.meta.count, third.meta.count, third.meta.has_more]).toEqual([17, 6, false]);
});

test("starts after all events with cursor=latest, and at a time with since", async () => {
  await createLead();
  const { meta, data } = await read({ cursor: "latest" });
  expect(data).toEqual([]);
  const time = new Date(Date.now() + 1).toISOString();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await createLead(90);
  expect(types(await read({ cursor: meta.next_cursor }))).toEqual(["lead.created", "lead.qualified"]);
  expect(types(await read({ since: time }))).toEqual(["lead.created", "lead.qualified"]);
  const ahead = await read({ since: "2999-01-01T00:00:00Z" });
  await createLead();
  expect(types(await read({ cursor: ahead.meta.next_cursor }))).toEqual([]);
});

test("filters by types and chatbot", async () => {
  const { organizationId } = tenant;
  const other = await api.db.chatbot.create({
    data: { organizationId, name: "Other", model: "parley-small" },
  });
  await createLead(90);
  await createLead(90, other.id);
  expect(types(await read("event_types=lead.qualified"))).toEqual(["lead.qualified", "lead.qualified"]);
  expect(types(await read("event_types=lead.qualified&event_types=lead.created"))).toHaveLength(4);
  expect(types(await read({ chatbot_id: other.id }))).toEqual(["lead.created", "lead.qualified"]);
  expect(types(await read({ chatbot_id: other.id.toUpperCase(), event_types: "lead.created" }))).toHaveLength(
    1,
  );
  expect(types(await read({ chatbot_id: "unknown" }))).toEqual([]);
});

test("searches up to 10,000 events a page for the types, and continues behind them", async () => {
  const { organizationId, chatbotId } = tenant;
  await api.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, chatbot_id, body, created_at)
    SELECT uuidv7(), ${organizationId}::uuid, 'lead.updated', ${chatbotId}::uuid, '{}', now() - interval '1 hour'
    FROM generate_series(1, 10000)`;
  await createLead();
  const first = await read({ event_types: "lead.created" });
  expect([first.data, first.meta.has_more]).toEqual([[], true]);
  const second = await read({ event_types: "lead.created", cursor: first.meta.next_cursor });
  expect([types(second), second.meta.has_more]).toEqual([["lead.created"], false]);
});

test("shows nothing of another organization", async () => {
  await createLead();
  const [event] = (await read()).data;
  tenant = await createTenant(api.db);
  expect((await read()).data).toEqual([]);
  for (const id of [event?.id, "x"]) {
    const response = await as(api, tenant)("GET", `/api/v1/events/${id}`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: "not_found", error_description: "No event with this ID exists." },
    ]);
  }
});

test("starts with the events that are surely stored, also when older ones remain", async () => {
  const { organizationId } = tenant;
  for (let i = 0; i < 3; i += 1) await createLead();
  const rows = await api.db.event.findMany({ where: { organizationId }, orderBy: { createdAt: "asc" } });
  const before = await api.db.eventRetention.findFirstOrThrow();
  await api.db.eventRetention.updateMany({ data: { removedBefore: rows[1]?.createdAt ?? new Date(0) } });
  const seen: string[] = [];
  let query: Record<string, string> = { limit: "1" };
  for (let more = true; more; ) {
    const { status, data, meta } = await read(query);
    expect(status).toBe(200);
    seen.push(...data.map(({ id }) => id));
    query = { limit: "1", cursor: meta.next_cursor };
    more = meta.has_more;
  }
  await api.db.eventRetention.updateMany({ data: { removedBefore: before.removedBefore } });
  expect(seen).toEqual(rows.slice(1).map(({ id }) => id));
});

test("says since when events are stored if some after the cursor may have been removed", async () => {
  const { meta } = await read({ cursor: "latest" });
  const removedBefore = new Date(Date.now() + 60_000);
  const before = await api.db.eventRetention.findFirstOrThrow();
  await api.db.eventRetention.updateMany({ data: { removedBefore } });
  const { status, error, error_description } = await read({ cursor: meta.next_cursor });
  await api.db.eventRetention.updateMany({ data: { removedBefore: before.removedBefore } });
  const time = removedBefore.toISOString();
  expect([status, error]).toEqual([410, "not_found"]);
  expect(error_description).toBe(`Events before ${time} are no longer stored. Continue with since=${time}.`);
});

test("says so too if events of the organization were removed because it had too many, and not to other organizations", async () => {
  const { meta } = await read({ cursor: "latest" });
  const { organizationId } = tenant;
  const eventsRemovedBefore = new Date(Date.now() + 60_000);
  await api.db.organization.update({ where: { id: organizationId }, data: { eventsRemovedBefore } });
  const { status, error_description } = await read({ cursor: meta.next_cursor });
  const time = eventsRemovedBefore.toISOString();
  expect([status, error_description]).toEqual([
    410,
    `Events before ${time} are no longer stored. Continue with since=${time}.`,
  ]);
  await createLead();
  expect((await read()).data).toEqual([]); // The lead was created before this time.
  tenant = await createTenant(api.db);
  expect((await read({ cursor: meta.next_cursor })).status).toBe(200);
});

describe("with wait", () => {
  const latest = async () => (await read({ cursor: "latest" })).meta.next_cursor;

  test("responds as soon as an event happens, to every waiter whose filter it matches", async () => {
    const cursor = await latest();
    const other = await startApi({ DATABASE_URL: api.databaseUrl });
    const get = (query: object, at = api) =>
      as(at, tenant)("GET", `/api/v1/events?${new URLSearchParams({ cursor, wait: "25", ...query })}`);
    let answered = 0;
    const waiters = [{}, { event_types: "lead.created" }, { chatbot_id: tenant.chatbotId }].flatMap((query) =>
      [api, other].map(async (at) => {
        const feed = (await (await get(query, at)).json()) as Feed;
        answered += 1;
        return types(feed);
      }),
    );
    const unmatched = get({ event_types: "lead.converted", wait: "1" });
    await sleep(300);
    expect(answered).toBe(0);
    const from = performance.now();
    await createLead();
    expect(await Promise.all(waiters)).toEqual(Array(6).fill(["lead.created"]));
    expect(performance.now() - from).toBeLessThan(20_000); // Before their time is over.
    const none = (await (await unmatched).json()) as Feed;
    expect(none.data).toEqual([]);
    expect(types(await read({ cursor: none.meta.next_cursor }))).toEqual([]);
    await other.close();
  });

  test("responds without events when the time is over", async () => {
    const cursor = await latest();
    const from = performance.now();
    const { data, meta } = await read({ cursor, wait: "1" });
    expect(performance.now() - from).toBeGreaterThan(990);
    expect([data, meta.has_more, meta.count]).toEqual([[], false, 0]);
    await createLead();
    expect(types(await read({ cursor: meta.next_cursor, wait: "25" }))).toEqual(["lead.created"]);
  });

  test("returns each event once to a client that always waits", async () => {
    let cursor = await latest();
    const seen: string[] = [];
    const writing = (async () => {
      for (let i = 0; i < 30; i += 1) await createLead(90);
    })();
    while (seen.length < 60) {
      const { data, meta } = await read({ cursor, wait: "5", limit: "3" });
      seen.push(...data.map(({ id }) => id));
      cursor = meta.next_cursor;
    }
    await writing;
    const { organizationId } = tenant;
    const rows = await api.db.event.findMany({
      where: { organizationId },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
    expect(seen).toEqual(rows.map(({ id }) => id));
  });

  test("in the future delays no other waiter", async () => {
    const cursor = await latest();
    const ahead = read({ since: "2999-01-01T00:00:00Z", wait: "1" });
    await sleep(100);
    const waiting = read({ cursor, wait: "25" });
    await sleep(200);
    await createLead();
    expect(types(await waiting)).toEqual(["lead.created"]);
    const { data, meta } = await ahead;
    expect(data).toEqual([]);
    expect((await read({ cursor: meta.next_cursor })).data).toEqual([]);
  });

  test("while a change is running, responds in time", async () => {
    const cursor = await latest();
    const commit = await beginChange(api.db, tenant.organizationId);
    const feeds = await Promise.all([1, 1, 1].map(() => read({ cursor, wait: "1" })));
    expect(feeds.flatMap(({ data }) => data)).toEqual([]);
    await createLead();
    await commit();
    expect(types(await read({ cursor, wait: "5" }))).toEqual(["lead.created"]);
  });

  test("holds no database connection, and is answered when the server shuts down", async () => {
    const small = await startApi({ DATABASE_URL: api.databaseUrl, DATABASE_POOL_SIZE: "2" });
    const cursor = await latest();
    const path = `/api/v1/events?cursor=${cursor}&wait=25`;
    const waiters = Array.from({ length: 20 }, async () => {
      const response = await as(small, tenant)("GET", path);
      return [response.status, ((await response.json()) as Feed).data];
    });
    const call = async () => (await as(small, tenant)("GET", "/api/v1/leads")).status;
    for (let i = 0; i < 10; i += 1) expect(await call()).toBe(200);
    const from = performance.now();
    await small.close();
    expect(performance.now() - from).toBeLessThan(20_000); // Before the time of the waiters is over.
    expect(await Promise.all(waiters)).toEqual(Array(20).fill([200, []]));
  });
});

test.each([
  ["cursor=abc", "query/cursor must be latest, or the meta.next_cursor of an earlier response"],
  ["cursor=latest&since=2026-01-01T00:00:00Z", "query/since must not be sent with a cursor"],
  ["event_types=lead.exploded", "query/event_types/0 must be one of"],
  ["event_types=lead.created&event_types=lead.created", "query/event_types must not contain duplicates"],
  ["offset=5", "query/offset is not a known parameter"],
])("rejects ?%s", async (query, description) => {
  const { status, error_description } = await read(query);
  expect([status, error_description]).toEqual([400, expect.stringContaining(description)]);
});

test("leaves out events that a running change may precede", async () => {
  const { meta } = await read({ cursor: "latest" });
  const commit = await beginChange(api.db, tenant.organizationId);
  await createLead();
  const during = await read({ cursor: meta.next_cursor });
  expect(during.data).toEqual([]);
  await commit();
  expect(types(await read({ cursor: during.meta.next_cursor }))).toEqual(["lead.created"]);
});

test("misses and repeats nothing with eight writers that commit late, and a reader of another process", async () => {
  await commitLate(api.db);
  const other = await startApi({ DATABASE_URL: api.databaseUrl });
  let cursor = (await read({ cursor: "latest" })).meta.next_cursor;
  const seen: string[] = [];
  async function follow(): Promise<void> {
    const response = await as(other, tenant)("GET", `/api/v1/events?limit=7&cursor=${cursor}`);
    const { data, meta } = (await response.json()) as Feed;
    seen.push(...data.map(({ id }) => id));
    cursor = meta.next_cursor;
  }
  let writing = true;
  const writer = async () => {
    const id = await createLead();
    for (let score = 1; score <= 5; score += 1) {
      await as(api, tenant)("PATCH", `/api/v1/leads/${id}`, { score });
    }
  };
  const writers = Promise.all(Array.from({ length: 8 }, writer)).finally(() => (writing = false));
  while (writing) await follow();
  await writers;
  for (let before = -1; before < seen.length; ) {
    before = seen.length;
    await follow();
  }
  const { organizationId } = tenant;
  const rows = await api.db.event.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  expect(rows).toHaveLength(8 * (1 + 5 * 2));
  expect(seen).toEqual(rows.map(({ id }) => id));
  await other.close();
});

describe("a token without the scope of some records", () => {
  beforeEach(async () => {
    await createLead(90);
    await as(api, tenant)("POST", "/api/v1/tickets", { chatbot_id: tenant.chatbotId, subject: "Help" });
  });

  const readAs = async (scopes: Scope[], path: string) =>
    as(api, await issueToken(api.db, tenant, scopes))("GET", path);

  test.each<[scopes: Scope[], types: string[]]>([
    [["webhooks:manage"], []],
    [["webhooks:manage", "tickets:read"], ["ticket.created"]],
    [
      ["webhooks:manage", "leads:read"],
      ["lead.created", "lead.qualified"],
    ],
  ])("%j: %j", async (scopes, expected) => {
    const feed = (await (await readAs(scopes, "/api/v1/events")).json()) as Feed;
    expect(types(feed)).toEqual(expected);
    expect(feed.meta.event_types).toEqual(
      eventTypes.filter((type) => [null, ...scopes].includes(scopeOfEvent(type))),
    );
  });

  test("is rejected when it names these types, or the ID of such an event", async () => {
    const lead = (await read()).data[0];
    const paths = [
      "/api/v1/events?event_types=ticket.created&event_types=lead.created",
      `/api/v1/events/${lead?.id}`,
    ];
    for (const path of paths) {
      const response = await readAs(["webhooks:manage", "tickets:read"], path);
      expect([response.status, await response.json()]).toEqual([
        403,
        {
          error: "insufficient_scope",
          error_description: "To read lead.created, this request also needs the scope leads:read.",
        },
      ]);
      expect(response.headers.get("www-authenticate")).toContain('scope="webhooks:manage leads:read"');
    }
  });
});
