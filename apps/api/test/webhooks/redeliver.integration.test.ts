import { randomUUID } from "node:crypto";
import type { Schemas } from "@parley/contract";
import { respondingWith, soon } from "@parley/webhooks/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Past, writeHistory } from "../../src/testing/delivery-history.ts";
import {
  type Client,
  createClient,
  eventIds,
  lockIsWaitedFor,
  useWebhookApi,
} from "../../src/testing/webhook-api.ts";

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

const path = () => `/api/v1/webhooks/${subscriptionId}`;
const write = (history: Past[]) =>
  writeHistory(api.db, { organizationId: client.tenant.organizationId, subscriptionId }, history);
async function writeOne(past: Partial<Past> = {}) {
  const [one] = await write([{ status: "delivered", at: at(0), ...past }]);
  return one ?? { id: "", eventId: "" };
}
/** Returns the IDs of the events with pending deliveries, in order. */
async function pendingEvents(): Promise<string[]> {
  const rows = await api.db.delivery.findMany({
    where: { subscriptionId },
    orderBy: [{ nextAt: "asc" }, { id: "asc" }],
  });
  return rows.map(({ eventId }) => eventId);
}
const fail = () =>
  api.db.subscription.update({
    where: { id: subscriptionId },
    data: { status: "failed", failedAt: new Date() },
  });
async function message(response: Response): Promise<string> {
  return ((await response.json()) as Schemas["ApiError"]).error_description;
}

describe("redelivering one delivery", () => {
  const again = (id: string) => client.call("POST", `${path()}/deliveries/${id}/redeliver`);
  async function redelivered(id: string): Promise<Schemas["Delivery"]> {
    return (await client.take<{ data: Schemas["Delivery"] }>("POST", `${path()}/deliveries/${id}/redeliver`))
      .data;
  }

  test.each(["delivered", "exhausted"] as const)(
    "creates another delivery of a %s delivery's event",
    async (status) => {
      const { id, eventId } = await writeOne({ status });
      const made = await redelivered(id);
      expect(made.id).not.toBe(id);
      expect(made.attributes).toMatchObject({
        event_id: eventId,
        status: "pending",
        attempt_count: 0,
        last_attempt: null,
      });
      expect(Date.parse(made.attributes.next_attempt_at ?? "")).toBeLessThanOrEqual(Date.now());
      const before = await client.take<{ data: Schemas["DeliveryDetails"] }>(
        "GET",
        `${path()}/deliveries/${id}`,
      );
      expect(before.data.attributes.status).toBe(status); // The log does not change.
    },
  );

  test("schedules a pending delivery for immediate sending, with the same ID", async () => {
    const { id } = await writeOne({ status: "pending", at: new Date(Date.now() + 3_600_000), attempts: 2 });
    const made = await redelivered(id);
    expect(made).toMatchObject({
      id,
      attributes: { status: "pending", attempt_count: 2, last_attempt: { number: 2, status_code: 500 } },
    });
    expect(Date.parse(made.attributes.next_attempt_at ?? "")).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await pendingEvents()).toHaveLength(1);
  });

  test("is sent immediately, with the same event and a new ID", async () => {
    const receiver = await api.startReceiver(respondingWith(200));
    subscriptionId = (await client.subscribe(receiver.url)).id;
    await client.createLeads(1);
    await api.startWorker();
    await vi.waitFor(async () => expect(await pendingEvents()).toEqual([]), soon);
    const [first] = receiver.received;
    const { id } = await redelivered(String(first?.headers["webhook-id"]));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
    const second = receiver.received[1];
    expect(second?.headers["webhook-id"]).toBe(id);
    expect(second?.body).toBe(first?.body);
  });

  test("is rejected for a test delivery", async () => {
    const { id } = await writeOne({ test: true });
    const response = await again(id);
    expect([response.status, await message(response)]).toEqual([
      400,
      "Test deliveries cannot be redelivered. Send a new test.",
    ]);
  });

  test("is rejected while the subscription is failed, and possible after resuming", async () => {
    const { id } = await writeOne();
    await fail();
    const response = await again(id);
    expect([response.status, await message(response)]).toEqual([
      400,
      "The subscription's status is failed. Resume it first.",
    ]);
    await client.take("POST", `${path()}/resume`);
    expect((await again(id)).status).toBe(200);
  });

  test("is rejected if the event is no longer stored", async () => {
    const { id, eventId } = await writeOne();
    await api.db.event.delete({ where: { id: eventId } });
    const response = await again(id);
    expect([response.status, await message(response)]).toEqual([
      400,
      "The event of this delivery is no longer stored, so it cannot be redelivered.",
    ]);
  });

  test("waits while the event is being removed, and is then rejected", async () => {
    const { id, eventId } = await writeOne();
    const response = await api.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM events WHERE id = ${eventId}::uuid FOR UPDATE`; // As the removal does.
      const waiting = again(id);
      await lockIsWaitedFor(api.db);
      await tx.event.delete({ where: { id: eventId } });
      return { waiting };
    });
    expect((await response.waiting).status).toBe(400);
    expect(await pendingEvents()).toEqual([]);
  });

  test("requires a delivery of the subscription and organization", async () => {
    const { id } = await writeOne();
    for (const unknown of [randomUUID(), "none"]) expect((await again(unknown)).status).toBe(404);
    subscriptionId = (await client.subscribe("https://hooks.example.com/")).id;
    expect((await again(id)).status).toBe(404);
    client = await createClient(api);
    expect((await again(id)).status).toBe(404);
  });

  test("with the same Idempotency-Key runs once", async () => {
    const { id } = await writeOne();
    const key = randomUUID();
    const twice = [0, 1].map(() => client.post(`${path()}/deliveries/${id}/redeliver`, undefined, key));
    const [one, two] = await Promise.all((await Promise.all(twice)).map((response) => response.json()));
    expect(two).toEqual(one);
    expect(await pendingEvents()).toHaveLength(1);
  });
});

describe("redelivering a range", () => {
  interface Requested {
    data: Schemas["Redelivery"];
  }
  const request = (body: object) => client.take<Requested>("POST", `${path()}/redeliver`, body);
  const read = async (id: string) =>
    (await client.take<Requested>("GET", `${path()}/redeliveries/${id}`)).data;
  /** Redelivers a range. @returns number of deliveries created */
  async function range(body: object): Promise<number> {
    const { data } = await request(body);
    await api.backfill();
    return (await read(data.id)).deliveries;
  }
  /** One per minute: delivered, exhausted, … */
  const history: Past[] = Array.from({ length: 8 }, (_, i) => ({
    status: (["delivered", "exhausted"] as const)[i % 2] ?? "delivered",
    at: at(i),
    eventType: i < 4 ? "lead.created" : "ticket.created",
  }));

  test.each([
    [{ since: iso(0) }, [1, 3, 5, 7]],
    [{ since: iso(2), until: iso(7) }, [3, 5]],
    [{ since: iso(0), status: "exhausted", event_type: "ticket.created" }, [5, 7]],
    [{ since: iso(0), until: iso(3), status: "delivered" }, [0, 2]],
    [{ since: iso(8) }, []],
    [{ since: iso(5), until: iso(5) }, []],
    [{ since: iso(5), until: iso(2) }, []],
  ])("of %j redelivers these, in order", async (body, minutes) => {
    const written = await write(history);
    expect(await range(body)).toBe(minutes.length);
    expect(await pendingEvents()).toEqual(minutes.map((minute) => written[minute]?.eventId));
  });

  test("redelivers each event once, and skips pending deliveries, tests and removed events", async () => {
    const often = await writeOne({ at: at(0) });
    await write([
      { status: "delivered", at: at(1), eventId: often.eventId },
      { status: "delivered", at: at(2), test: true },
    ]);
    const isDue = await writeOne({ at: at(3) });
    await write([{ status: "pending", at: at(4), eventId: isDue.eventId }]);
    const { eventId: forgotten } = await writeOne({ at: at(5) });
    await api.db.event.delete({ where: { id: forgotten } });
    const delivered = { since: iso(0), status: "delivered" };
    expect(await range(delivered)).toBe(1);
    expect((await pendingEvents()).toSorted()).toEqual([often.eventId, isDue.eventId].toSorted());
    expect(await range(delivered)).toBe(0);
  });

  test("skips exhausted deliveries whose event was delivered later", async () => {
    const [since, before, again] = [
      await writeOne({ status: "exhausted", at: at(0) }),
      await writeOne({ status: "delivered", at: at(1) }),
      await writeOne({ status: "exhausted", at: at(2) }),
    ];
    await write([
      { status: "delivered", at: at(3), eventId: since.eventId },
      { status: "exhausted", at: at(4), eventId: before.eventId },
      { status: "exhausted", at: at(5), eventId: again.eventId },
    ]);
    expect(await range({ since: iso(0) })).toBe(2);
    expect((await pendingEvents()).toSorted()).toEqual([before.eventId, again.eventId].toSorted());
  });

  test("sends in the order of the events", async () => {
    const receiver = await api.startReceiver(respondingWith(200));
    subscriptionId = (await client.subscribe(receiver.url)).id;
    const written = await write(history);
    await api.startWorker({ maxInFlightPerSubscription: 1 });
    await request({ since: iso(0), status: "delivered" });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(4), soon);
    expect(eventIds(receiver)).toEqual([0, 2, 4, 6].map((minute) => written[minute]?.eventId));
  });

  test("answers before the deliveries are created, and shows the progress", async () => {
    await write(history);
    const response = await client.call("POST", `${path()}/redeliver`, { since: iso(0), until: iso(6) });
    expect(response.status).toBe(202);
    const { data } = (await response.json()) as Requested;
    expect(response.headers.get("location")).toBe(`${path()}/redeliveries/${data.id}`);
    expect(data).toEqual({
      id: expect.any(String),
      status: "exhausted",
      event_type: null,
      since: iso(0),
      until: iso(6),
      searched_until: iso(0),
      deliveries: 0,
      created_at: expect.any(String),
      finished_at: null,
    });
    expect(await pendingEvents()).toEqual([]);
    await api.backfill();
    expect(await read(data.id)).toEqual({
      ...data,
      searched_until: iso(6),
      deliveries: 3,
      finished_at: expect.any(String),
    });
  });

  test("ends at the time of the request at the latest", async () => {
    const { data } = await request({ since: iso(0), until: "2999-01-01T00:00:00Z" });
    expect(Date.parse(data.until)).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test("is rejected while 10 others are unfinished", async () => {
    for (let count = 1; count <= 10; count += 1) await request({ since: iso(0) });
    const response = await client.call("POST", `${path()}/redeliver`, { since: iso(0) });
    expect([response.status, await message(response)]).toEqual([
      400,
      "The subscription has 10 unfinished redeliveries. Wait until one is finished.",
    ]);
    await api.backfill();
    await request({ since: iso(0) });
  });

  test("is found only with its subscription and organization", async () => {
    const { data } = await request({ since: iso(0) });
    expect((await client.call("GET", `${path()}/redeliveries/none`)).status).toBe(404);
    const other = await client.subscribe("https://hooks.example.com/");
    expect((await client.call("GET", `/api/v1/webhooks/${other.id}/redeliveries/${data.id}`)).status).toBe(
      404,
    );
    const stranger = await createClient(api);
    expect((await stranger.call("GET", `${path()}/redeliveries/${data.id}`)).status).toBe(404);
  });

  test.each([
    ["failed", { status: "failed" }, "The subscription's status is failed. Resume it first."],
    ["disabled", { enabled: false }, "The subscription is disabled. Enable it first."],
  ])("is rejected while the subscription is %s", async (_state, state, reason) => {
    await write(history);
    await api.db.subscription.update({ where: { id: subscriptionId }, data: state });
    const response = await client.call("POST", `${path()}/redeliver`, { since: iso(0) });
    expect([response.status, await message(response)]).toEqual([400, reason]);
  });

  test.each([
    [{}, "body/since"],
    [{ since: "2026-05-01" }, "body/since"],
    [{ since: iso(0), status: "pending" }, "body/status"],
    [{ since: iso(0), event_type: "lead.exploded" }, "body/event_type"],
    [{ since: iso(0), limit: 5 }, "body/limit"],
  ])("by %j is rejected", async (body, where) => {
    const response = await client.call("POST", `${path()}/redeliver`, body);
    expect(response.status).toBe(400);
    expect(await message(response)).toContain(where);
  });

  test("does not redeliver deliveries of another organization's subscription", async () => {
    await write(history);
    const stranger = await createClient(api);
    expect((await stranger.call("POST", `${path()}/redeliver`, { since: iso(0) })).status).toBe(404);
    expect(await pendingEvents()).toEqual([]);
  });

  test("with the same Idempotency-Key runs once, also concurrently", async () => {
    await write(history);
    const key = randomUUID();
    const body = { since: iso(0) };
    const many = [key, key, randomUUID(), randomUUID()].map((each) =>
      client.post(`${path()}/redeliver`, body, each),
    );
    const responses = await Promise.all(many);
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const requested = (await Promise.all(responses.map((response) => response.json()))) as Requested[];
    expect(new Set(requested.map(({ data }) => data.id)).size).toBe(3);
    await api.backfill();
    const created = await Promise.all([...new Set(requested.map(({ data }) => data.id))].map(read));
    expect(created.map(({ deliveries }) => deliveries).toSorted((a, b) => a - b)).toEqual([0, 0, 4]); // The others found it done.
    expect(await pendingEvents()).toHaveLength(4);
  });
});
