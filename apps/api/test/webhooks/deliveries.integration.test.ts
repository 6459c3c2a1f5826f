import { randomUUID } from "node:crypto";
import type { Schemas } from "@parley/contract";
import { respondingWith, soon } from "@parley/webhooks/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Past, writeHistory } from "../../src/testing/delivery-history.ts";
import { type Client, createClient, useWebhookApi } from "../../src/testing/webhook-api.ts";

const { api } = useWebhookApi();
let client: Client;
let subscriptionId: string;
beforeEach(async () => {
  client = await createClient(api);
  subscriptionId = (await client.subscribe("https://hooks.example.com/")).id;
});

const start = Date.parse("2026-05-01T12:00:00.000Z");
const at = (minutes: number) => new Date(start + minutes * 60_000);
const iso = (minutes: number) => at(minutes).toISOString();

interface Page {
  data: Schemas["Delivery"][];
  meta: Schemas["PageMeta"];
}
const list = (query: Record<string, string> = {}) =>
  client.take<Page>("GET", `/api/v1/webhooks/${subscriptionId}/deliveries?${new URLSearchParams(query)}`);
const ids = ({ data }: Page) => data.map(({ id }) => id);

/** Writes deliveries; returns their IDs, latest first. */
async function write(history: Past[]): Promise<string[]> {
  const { organizationId } = client.tenant;
  const written = await writeHistory(api.db, { organizationId, subscriptionId }, history);
  return written.map(({ id }) => id).toReversed();
}

/** Alternately pending and finished deliveries, a minute apart. */
const mixed: Past[] = Array.from({ length: 12 }, (_, i) => ({
  status: (["pending", "delivered", "exhausted"] as const)[i % 3] ?? "pending",
  at: at(i),
  eventType: i % 2 === 0 ? "lead.created" : "ticket.created",
}));

describe("the list", () => {
  test("is empty at first", async () => {
    expect(await list()).toEqual({
      data: [],
      meta: {
        api_version: "2024-01-01",
        total: 0,
        limit: expect.any(Number),
        offset: 0,
        has_more: false,
        count: 0,
        next_cursor: null,
      },
    });
  });

  test("shows a pending, a delivered and an exhausted delivery completely", async () => {
    const [exhausted, delivered, pending] = await write([
      { status: "pending", at: at(0), attempts: 2 },
      { status: "delivered", at: at(1) },
      { status: "exhausted", at: at(2), attempts: 5 },
    ]);
    const { data } = await list();
    expect(data.map(({ id }) => id)).toEqual([exhausted, delivered, pending]);
    const failure = { status_code: 500, error: "the receiver responded with 500", duration_ms: 7 };
    const common = { subscription_id: subscriptionId, event_type: "lead.created", test: false };
    expect(data.map(({ attributes }) => attributes)).toMatchObject([
      {
        ...common,
        status: "exhausted",
        attempt_count: 5,
        next_attempt_at: null,
        created_at: iso(2),
        last_attempt: { ...failure, number: 5, attempted_at: iso(6), response_body: "response 5" },
      },
      {
        ...common,
        status: "delivered",
        attempt_count: 1,
        next_attempt_at: null,
        created_at: iso(1),
        last_attempt: {
          number: 1,
          attempted_at: iso(1),
          status_code: 200,
          error: null,
          response_body: "response 1",
        },
      },
      {
        ...common,
        status: "pending",
        attempt_count: 2,
        next_attempt_at: iso(2),
        created_at: iso(0),
        last_attempt: { ...failure, number: 2, attempted_at: iso(1) },
      },
    ]);
  });

  test.each([1, 2, 5, 11, 12, 100])(
    "in pages of %i shows each delivery once, latest first",
    async (limit) => {
      const all = await write(mixed);
      for (const isByCursor of [false, true]) {
        const seen: string[] = [];
        for (let next: Record<string, string> | undefined = {}; next; ) {
          const page = await list({ limit: String(limit), ...next });
          expect(page.meta.offset).toBe(seen.length);
          seen.push(...ids(page));
          const { total, count, has_more, next_cursor } = page.meta;
          expect([total, count, has_more]).toEqual([12, page.data.length, seen.length < 12]);
          expect(count).toBeGreaterThan(0);
          const following = isByCursor ? { cursor: String(next_cursor) } : { offset: String(seen.length) };
          next = has_more ? following : undefined;
        }
        expect(seen).toEqual(all);
      }
    },
  );

  test("is empty after the last page and has the total", async () => {
    await write(mixed);
    expect(await list({ offset: "1000" })).toMatchObject({
      data: [],
      meta: { total: 12, count: 0, has_more: false },
    });
  });

  test.each([
    [{ status: "pending" }, [9, 6, 3, 0]],
    [{ status: "delivered" }, [10, 7, 4, 1]],
    [{ status: "exhausted" }, [11, 8, 5, 2]],
    [{ event_type: "ticket.created" }, [11, 9, 7, 5, 3, 1]],
    [{ event_type: "lead.updated" }, []],
    [{ since: iso(9) }, [11, 10, 9]],
    [{ until: iso(2) }, [1, 0]],
    [{ since: iso(3), until: iso(6), event_type: "ticket.created" }, [5, 3]],
    [{ since: iso(0), until: iso(12), status: "pending", event_type: "lead.created" }, [6, 0]],
    [{ since: "2026-05-01T14:09:30+02:00" }, [11, 10]],
    [{ since: iso(6), until: iso(6) }, []],
  ])("filtered by %j, with their total", async (query, minutes) => {
    const all = await write(mixed);
    const page = await list({ ...query, limit: "2" });
    expect(page.meta.total).toBe(minutes.length);
    expect(ids(page)).toEqual(minutes.slice(0, 2).map((minute) => all[11 - minute]));
  });

  test("orders finished deliveries by the last attempt", async () => {
    const [second, first] = await write([
      { status: "delivered", at: at(0), attempts: 10 },
      { status: "delivered", at: at(5) },
    ]);
    expect(ids(await list())).toEqual([first, second]);
    expect(ids(await list({ since: iso(8) }))).toEqual([first]);
    expect(ids(await list({ until: iso(8) }))).toEqual([second]);
  });

  test.each([
    [{ status: "failed" }, "query/status"],
    [{ event_type: "lead.exploded" }, "query/event_type"],
    [{ since: "yesterday" }, "query/since"],
    [{ until: "2026-02-30T00:00:00Z" }, "query/until"],
    [{ limit: "0" }, "query/limit"],
    [{ limit: "1e1" }, "query/limit"],
    [{ offset: "-1" }, "query/offset"],
  ])("by %j is rejected", async (query, where) => {
    const response = await client.call(
      "GET",
      `/api/v1/webhooks/${subscriptionId}/deliveries?${new URLSearchParams(query)}`,
    );
    expect(response.status).toBe(400);
    expect(((await response.json()) as Schemas["ApiError"]).error_description).toContain(where);
  });

  test("contains no deliveries of other subscriptions and organizations", async () => {
    await write(mixed);
    const { id: neighbour } = await client.subscribe("https://hooks.example.com/");
    const ofNeighbour = await client.take<Page>("GET", `/api/v1/webhooks/${neighbour}/deliveries`);
    expect(ofNeighbour.meta.total).toBe(0);
    const stranger = await createClient(api);
    expect((await stranger.call("GET", `/api/v1/webhooks/${subscriptionId}/deliveries`)).status).toBe(404);
  });
});

describe("one delivery", () => {
  const read = (id: string, of = subscriptionId) =>
    client.call("GET", `/api/v1/webhooks/${of}/deliveries/${id}`);
  async function details(id: string): Promise<Schemas["DeliveryDetails"]> {
    return ((await (await read(id)).json()) as { data: Schemas["DeliveryDetails"] }).data;
  }

  test("has each of its attempts and the body, byte for byte", async () => {
    const receiver = await api.startReceiver((response) => response.writeHead(503).end("é".repeat(2_000)));
    const { id: subscription } = await client.subscribe(receiver.url);
    await api.startWorker();
    await client.createLeads(1);
    await vi.waitFor(async () => {
      expect(await api.db.deliveryAttempt.count({ where: { subscriptionId: subscription } })).toBe(1);
    }, soon);
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    subscriptionId = subscription;
    const { attributes } = await details(String(headers["webhook-id"]));
    expect(attributes).toMatchObject({ status: "pending", attempt_count: 1, body });
    const [attempt] = attributes.attempts;
    expect(attempt).toMatchObject({ number: 1, status_code: 503, error: "the receiver responded with 503" });
    expect(attempt?.response_body).toBe("é".repeat(512)); // 1 KiB.
    expect(attempt?.duration_ms).toBeLessThan(10_000);
    const { host, connection, "content-length": _, ...sent } = headers;
    expect(attempt?.request).toEqual({ url: receiver.url, headers: sent });
    expect([host, connection]).toEqual([new URL(receiver.url).host, "keep-alive"]);
    expect(Object.keys(attempt?.response_headers ?? {})).toEqual(["date"]);
    expect(attempt?.addresses).toEqual(["127.0.0.1"]);
    expect(attempt?.timings).toEqual({
      dns_ms: expect.any(Number),
      connect_ms: expect.any(Number),
      tls_ms: null,
      first_byte_ms: expect.any(Number),
    });
    expect(Date.parse(attributes.next_attempt_at ?? "")).toBeGreaterThan(Date.now());
  });

  test("has its attempts in order", async () => {
    const [id = ""] = await write([{ status: "delivered", at: at(0), attempts: 4 }]);
    const { attributes } = await details(id);
    expect(attributes.attempts.map(({ number, error }) => [number, error])).toEqual([
      [1, "the receiver responded with 500"],
      [2, "the receiver responded with 500"],
      [3, "the receiver responded with 500"],
      [4, null],
    ]);
  });

  test("has no body if its event is no longer stored", async () => {
    const [id = ""] = await write([{ status: "delivered", at: at(0) }]);
    await api.db.event.deleteMany({ where: { organizationId: client.tenant.organizationId } });
    expect((await details(id)).attributes).toMatchObject({ status: "delivered", body: null });
  });

  test("is found by its ID in upper case, but not by an invalid ID", async () => {
    const [id = ""] = await write([{ status: "delivered", at: at(0) }]);
    expect((await read(id.toUpperCase())).status).toBe(200);
    const odd = [randomUUID(), "none", "'", "..%2f..", `${id}0`, id.slice(1), `{${id}}`, "x".repeat(4_000)];
    for (const none of odd) expect((await read(none)).status).toBe(404);
    expect((await read("%00")).status).toBe(400);
  });

  test("is not found at another subscription, or by another organization", async () => {
    const [id = ""] = await write([{ status: "delivered", at: at(0) }]);
    const { id: neighbour } = await client.subscribe("https://hooks.example.com/");
    expect((await read(id, neighbour)).status).toBe(404);
    client = await createClient(api);
    expect((await read(id)).status).toBe(404);
    const { id: own } = await client.subscribe("https://hooks.example.com/");
    expect((await read(id, own)).status).toBe(404);
  });
});

test("a subscription shows its last delivery, failure and recovery", async () => {
  const receiver = await api.startReceiver(respondingWith(200));
  const { id } = await client.subscribe(receiver.url);
  expect(await client.subscription(id)).toMatchObject({
    last_delivery_at: null,
    failed_at: null,
    failure_reason: null,
  });
  await api.startWorker();
  await client.createLeads(1);
  await vi.waitFor(async () => expect((await client.subscription(id)).last_delivery_at).not.toBeNull(), soon);
  const { last_delivery_at } = await client.subscription(id);
  expect(Math.abs(Date.parse(last_delivery_at ?? "") - Date.now())).toBeLessThan(60_000);

  receiver.respond = respondingWith(410);
  await client.createLeads(1);
  await vi.waitFor(async () => expect((await client.subscription(id)).status).toBe("failed"), soon);
  const { data } = await client.take<{ data: Schemas["Subscription"][] }>("GET", "/api/v1/webhooks");
  const failed = data.find((subscription) => subscription.id === id);
  expect(failed).toMatchObject({
    failure_count: 1,
    failure_reason: "the receiver responded with 410",
    last_delivery_at,
  });
  expect(Math.abs(Date.parse(failed?.failed_at ?? "") - Date.now())).toBeLessThan(60_000);
});
