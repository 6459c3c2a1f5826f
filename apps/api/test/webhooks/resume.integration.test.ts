import { randomUUID } from "node:crypto";
import type { Schemas } from "@parley/contract";
import { createPool } from "@parley/database";
import { advanceClock, holding, respondingWith, soon, subscriptionBecomes } from "@parley/webhooks/testing";
import { describe, expect, test, vi } from "vitest";
import {
  createClient,
  eventIds,
  lockIsWaitedFor,
  useWebhookApi,
  type WebhookApi,
} from "../../src/testing/webhook-api.ts";

const { api, client } = useWebhookApi();

const ok = respondingWith(200);
const gone = respondingWith(410);
const oneAtATime = { maxInFlightPerSubscription: 1 };

interface Resumed {
  data: Schemas["Subscription"];
  meta: { gap_events: number };
}
/** Resumes a subscription. Repeats it while the server is too busy, like other clients. */
function resume(id: string, body?: object): Promise<Resumed> {
  const isBusy = (error: unknown) => String(error).includes("responded 503");
  const take = () => client.take<Resumed>("POST", `/api/v1/webhooks/${id}/resume`, body);
  return take().catch((error: unknown) => (isBusy(error) ? take() : Promise.reject(error)));
}
const fillGap = { fill_gap: true };

/** Returns the IDs of the tenant's events, in order. */
async function recorded(type?: string): Promise<string[]> {
  const { organizationId } = client.tenant;
  const where = { organizationId, ...(type && { type }) };
  return (await api.db.event.findMany({ where, orderBy: { id: "asc" } })).map(({ id }) => id);
}

/** Row values of a subscription that fails now. */
const failedNow = () => ({ status: "failed", failedAt: new Date(), gapFrom: new Date() });

const deliveriesOf = (subscriptionId: string) => api.db.delivery.count({ where: { subscriptionId } });
/** Waits until the gap is filled, and nothing is pending. */
const allSent = (id: string) =>
  vi.waitFor(async () => {
    const { fillingGap } = await api.db.subscription.findUniqueOrThrow({ where: { id } });
    expect([fillingGap, await deliveriesOf(id)]).toEqual([false, 0]);
  }, soon);
const attemptsOf = (subscriptionId: string) => api.db.deliveryAttempt.count({ where: { subscriptionId } });

/** Creates a subscription that fails because of its receiver's responses. */
async function failed(
  receiver: Awaited<ReturnType<WebhookApi["startReceiver"]>>,
  options = {},
): Promise<string> {
  receiver.respond = gone;
  const { id } = await client.subscribe(receiver.url, options);
  await client.createLeads(1);
  await subscriptionBecomes(api, id, { status: "failed" });
  await vi.waitFor(async () => expect(await leaseOf(id)).toBeNull(), soon);
  return id;
}

async function leaseOf(subscriptionId: string): Promise<bigint | null | undefined> {
  return (await api.db.subscriptionQueue.findUniqueOrThrow({ where: { subscriptionId } })).leaseWorker;
}

describe("resuming a failed subscription", () => {
  test("sets it active with a failure count of 0 and sends pending deliveries; the reason is kept until a delivery succeeds", async () => {
    const receiver = await api.startReceiver();
    await api.startWorker(oneAtATime);
    const id = await failed(receiver);
    const before = await client.subscription(id);
    expect(before).toMatchObject({ failure_count: 1, failure_reason: "the receiver responded with 410" });
    expect(Math.abs(Date.parse(before.failed_at ?? "") - Date.now())).toBeLessThan(60_000);
    await client.createLeads(2); // Not for a failed one.

    const hold = holding();
    receiver.respond = hold.respond;
    const { data, meta } = await resume(id);
    expect(meta.gap_events).toBe(0);
    expect(data).toMatchObject({
      status: "active",
      failure_count: 0,
      failed_at: null,
      failure_reason: "the receiver responded with 410",
    });
    expect(data.updated_at > before.updated_at).toBe(true);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
    hold.release(ok);
    await vi.waitFor(async () => expect((await client.subscription(id)).failure_reason).toBeNull(), soon);
    expect(eventIds(receiver)).toEqual([(await recorded())[0], (await recorded())[0]]);
  });

  test("with fill_gap delivers the events of the gap in order, each once", async () => {
    const receiver = await api.startReceiver();
    await api.startWorker(oneAtATime);
    const id = await failed(receiver);
    await client.createLeads(5);
    receiver.respond = ok;
    receiver.received.length = 0;
    expect((await resume(id, fillGap)).meta.gap_events).toBe(5);
    await client.createLeads(2);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(8), soon);
    expect(eventIds(receiver)).toEqual(await recorded());
    expect((await resume(id, fillGap)).meta.gap_events).toBe(0);
  });

  test("fills the gap only with the subscription's events", async () => {
    const receiver = await api.startReceiver();
    await api.startWorker(oneAtATime);
    const { chatbotId, organizationId } = client.tenant;
    const id = await failed(receiver, { filters: { chatbot_id: chatbotId } });
    const other = await createClient(api);
    await other.createLeads(1);
    const { id: otherBot } = await api.db.chatbot.create({
      data: { organizationId, name: "Other", model: "m" },
    });
    await client.take("POST", "/api/v1/leads", { chatbot_id: otherBot, contact: {} });
    const lead = await client.take<{ data: { id: string } }>("POST", "/api/v1/leads", {
      chatbot_id: chatbotId,
      contact: {},
    });
    await client.take("PATCH", `/api/v1/leads/${lead.data.id}`, { score: 10 }); // lead.updated
    receiver.respond = ok;
    expect((await resume(id, fillGap)).meta.gap_events).toBe(1);
  });

  test("does not deliver events before the failure that did not match the subscription at that time", async () => {
    const receiver = await api.startReceiver();
    await api.startWorker();
    await client.createLeads(2); // Before the subscription.
    const { id } = await client.subscribe(receiver.url, { event_types: ["lead.updated"] });
    await client.createLeads(3);
    const change = { event_types: ["lead.updated", "lead.created"] };
    await client.take("PATCH", `/api/v1/webhooks/${id}`, change);
    receiver.respond = gone;
    await client.createLeads(1);
    await subscriptionBecomes(api, id, { status: "failed" });
    await client.take("PATCH", `/api/v1/webhooks/${id}`, { event_types: ["lead.created"] });
    await client.createLeads(1);
    receiver.respond = ok;
    expect((await resume(id, fillGap)).meta.gap_events).toBe(1);
  });

  test("does not deliver events again that were attempted, redelivered or pending since a minute before the failure", async () => {
    const receiver = await api.startReceiver();
    await api.startWorker();
    const { id } = await client.subscribe(receiver.url);
    await client.createLeads(3);
    await vi.waitFor(async () => expect(await attemptsOf(id)).toBe(3), soon);
    const [delivery] = await api.db.deliveryAttempt.findMany({ where: { subscriptionId: id } });
    await client.take("POST", `/api/v1/webhooks/${id}/deliveries/${delivery?.deliveryId}/redeliver`);
    await vi.waitFor(async () => expect(await attemptsOf(id)).toBe(4), soon);
    receiver.respond = gone;
    await client.createLeads(1);
    await subscriptionBecomes(api, id, { status: "failed" });
    await client.createLeads(1);
    receiver.respond = ok;
    expect((await resume(id, fillGap)).meta.gap_events).toBe(1);
    await allSent(id);
    expect(new Set(eventIds(receiver))).toEqual(new Set(await recorded()));
    expect(receiver.received).toHaveLength(7); // 3, once again, 410, that again, the gap.
  });

  test("fills an earlier gap as long as no delivery has succeeded", async () => {
    const receiver = await api.startReceiver();
    await api.startWorker(oneAtATime);
    const id = await failed(receiver);
    const { failed_at: first } = await client.subscription(id);
    await client.createLeads(3);
    await resume(id); // Still 410.
    await vi.waitFor(async () => {
      const { failed_at: again } = await client.subscription(id);
      expect(again && first && again > first).toBe(true);
    }, soon);
    await client.createLeads(2);
    receiver.respond = ok;
    expect((await resume(id, fillGap)).meta.gap_events).toBe(5);
    await allSent(id);
    expect((await resume(id, fillGap)).meta.gap_events).toBe(0);
  });

  test("does not fill a gap after a delivery has succeeded", async () => {
    const receiver = await api.startReceiver();
    await api.startWorker(oneAtATime);
    const id = await failed(receiver);
    await client.createLeads(3);
    receiver.respond = ok;
    await resume(id);
    await subscriptionBecomes(api, id, { failureReason: null });
    expect((await resume(id, fillGap)).meta.gap_events).toBe(0);
  });

  test("with the same Idempotency-Key runs once", async () => {
    const receiver = await api.startReceiver(ok);
    const { id } = await client.subscribe(receiver.url);
    await api.db.subscription.update({
      where: { id },
      data: { ...failedNow(), failureCount: 5 },
    });
    await client.createLeads(2);
    const key = randomUUID();
    const [first, again] = [
      await client.post(`/api/v1/webhooks/${id}/resume`, fillGap, key),
      await client.post(`/api/v1/webhooks/${id}/resume`, fillGap, key),
    ];
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual(await first.json());
    await api.backfill();
    expect(await deliveriesOf(id)).toBe(2);
  });

  test("delivers each event once while events are being recorded", async () => {
    const receiver = await api.startReceiver();
    await api.startWorker();
    const id = await failed(receiver);
    receiver.respond = ok;
    receiver.received.length = 0;
    for (let round = 0; round < 5; round += 1) {
      const busy = Array.from({ length: 6 }, () => client.createLeads(2));
      await Promise.all([...busy, resume(id, fillGap)]);
      await allSent(id);
      expect(eventIds(receiver).toSorted()).toEqual(await recorded());
      await api.db.subscription.update({ where: { id }, data: failedNow() });
    }
  });
});

describe("resuming a failing subscription", () => {
  test("closes the circuit immediately", async () => {
    const receiver = await api.startReceiver(respondingWith(503));
    await api.startWorker(oneAtATime);
    const { id } = await client.subscribe(receiver.url);
    await client.createLeads(3);
    await subscriptionBecomes(api, id, { failureCount: 1 });
    const where = { subscriptionId: id, circuitOpenUntil: { not: null } };
    expect(await api.db.subscriptionQueue.count({ where })).toBe(1);
    receiver.respond = ok;
    expect((await resume(id)).data).toMatchObject({ status: "active", failure_count: 0 });
    expect(await api.db.subscriptionQueue.count({ where })).toBe(0);
    await allSent(id);
  });

  test("changes nothing without failures", async () => {
    const { id } = await client.subscribe("https://hooks.example.com/");
    const before = await client.subscription(id);
    expect((await resume(id, fillGap)).data).toEqual(before);
  });
});

describe("resuming while a worker", () => {
  test("has attempts of the outage in flight logs them, sends none of them twice, and keeps the circuit closed", async () => {
    const receiver = await api.startReceiver();
    const rest = holding();
    receiver.respond = (...request) => (receiver.received.length === 8 ? gone : rest.respond)(...request);
    const { id } = await client.subscribe(receiver.url);
    await client.createLeads(8);
    await api.startWorker();
    await subscriptionBecomes(api, id, { status: "failed" });
    await resume(id);
    // Other workers find the subscription leased.
    await api.startWorker();
    await advanceClock(api, 0);
    const witness = await api.startReceiver(ok);
    await client.subscribe(witness.url, { event_types: ["lead.updated"] });
    const { organizationId } = client.tenant;
    const lead = await api.db.lead.findFirstOrThrow({ where: { organizationId } });
    await client.take("PATCH", `/api/v1/leads/${lead.id}`, { score: 11 });
    await vi.waitFor(() => expect(witness.received).toHaveLength(1), soon);
    expect(receiver.received).toHaveLength(8);

    rest.release(respondingWith(500));
    receiver.respond = ok;
    await vi.waitFor(async () => expect(await attemptsOf(id)).toBeGreaterThanOrEqual(8), soon);
    await advanceClock(api, 6_000);
    await allSent(id);
    expect(await attemptsOf(id)).toBe(16);
    expect(await client.subscription(id)).toMatchObject({
      status: "active",
      failure_count: 0,
      failure_reason: null,
    });
  });

  test("has the probe in flight does not count the failure of the probe", async () => {
    const receiver = await api.startReceiver(respondingWith(503));
    const { id } = await client.subscribe(receiver.url);
    await client.createLeads(1);
    await api.startWorker();
    await subscriptionBecomes(api, id, { failureCount: 1 });
    const probe = holding();
    receiver.respond = probe.respond;
    await advanceClock(api, 6_000);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
    await resume(id);
    probe.release(respondingWith(503));
    await vi.waitFor(async () => expect(await attemptsOf(id)).toBe(2), soon);
    expect(await client.subscription(id)).toMatchObject({ status: "active", failure_count: 0 });
  });

  test("is recording failures causes no deadlock and loses nothing", async () => {
    const receiver = await api.startReceiver(respondingWith(500));
    await api.startWorker();
    const { id } = await client.subscribe(receiver.url);
    await client.createLeads(12);
    for (let round = 0; round < 6; round += 1) {
      const before = await attemptsOf(id);
      await resume(id, fillGap);
      await vi.waitFor(async () => expect(await attemptsOf(id)).toBeGreaterThan(before), soon);
    }
    receiver.respond = ok;
    await vi.waitFor(async () => {
      await resume(id, fillGap);
      expect(await deliveriesOf(id)).toBe(0);
    }, soon);
    const delivered = await api.db.deliveryAttempt.findMany({
      where: { subscriptionId: id, outcome: "delivered" },
    });
    expect(delivered.map(({ eventId }) => eventId).toSorted()).toEqual(await recorded());
  });
});

/** Changes of a subscription wait for a worker that records results. */
describe("while a worker has locked the queue to record results", () => {
  async function recordingFor(id: string, request: () => Promise<Response>): Promise<number> {
    const pool = createPool(api.databaseUrl, { poolSize: 1 });
    const worker = await pool.connect();
    try {
      await worker.query("BEGIN");
      await worker.query("SELECT 1 FROM subscription_queues WHERE subscription_id = $1 FOR UPDATE", [id]);
      const response = request();
      await lockIsWaitedFor(api.db);
      await worker.query("UPDATE deliveries SET next_at = now() WHERE subscription_id = $1", [id]);
      await worker.query("UPDATE subscriptions SET failure_count = failure_count + 1 WHERE id = $1", [id]);
      await worker.query("COMMIT");
      return (await response).status;
    } finally {
      worker.release();
      await pool.end();
    }
  }

  test.each([
    ["resumed", (path: string) => client.call("POST", `${path}/resume`, fillGap)],
    ["changed", (path: string) => client.call("PATCH", path, { event_types: ["lead.updated"] })],
    ["rotated", (path: string) => client.call("POST", `${path}/rotate-secret`)],
    ["deleted", (path: string) => client.call("DELETE", path)],
    [
      "asked to redeliver one delivery",
      async (path: string) => client.call("POST", `${path}/deliveries/${await pendingDelivery()}/redeliver`),
    ],
    [
      "asked to redeliver a range",
      (path: string) => client.call("POST", `${path}/redeliver`, { since: "2026-01-01T00:00:00Z" }),
    ],
  ])("a subscription waits and is then %s", async (_what, request) => {
    const { id } = await client.subscribe("https://hooks.example.com/");
    await client.createLeads(1);
    await api.db.subscription.update({ where: { id }, data: { failureCount: 2 } });
    expect(await recordingFor(id, () => request(`/api/v1/webhooks/${id}`))).toBeLessThan(300);
  });

  test("other changes of the organization do not wait while a gap is filled", async () => {
    const { id } = await client.subscribe("https://hooks.example.com/");
    await api.db.subscription.update({ where: { id }, data: failedNow() });
    const resumed = await api.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM subscription_queues WHERE subscription_id = ${id}::uuid FOR UPDATE`;
      const filling = resume(id, fillGap);
      await lockIsWaitedFor(api.db);
      await client.createLeads(1);
      return { filling };
    });
    expect((await resumed.filling).meta.gap_events).toBe(1);
  });

  async function pendingDelivery(): Promise<string> {
    const { organizationId } = client.tenant;
    return (await api.db.delivery.findFirstOrThrow({ where: { organizationId } })).id;
  }
});
