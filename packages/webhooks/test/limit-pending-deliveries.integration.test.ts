/** The limit of an organization's pending deliveries. */
import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { limitPendingDeliveries, redeliverEvent } from "../src/index.ts";
import {
  attemptsReach,
  createSubscriptionWithBacklog,
  holding,
  leadCreated,
  readSubscription,
  respondingWith,
  soon,
  subscriptionBecomes,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();

const maxPending = 10;
const url = "https://hooks.example.com/";
const silent = { info() {}, warn() {}, error() {} };

function limit(options: Partial<Parameters<typeof limitPendingDeliveries>[0]> = {}): Promise<void> {
  return limitPendingDeliveries({ db: fixture.pool, maxPending, notices: true, log: silent, ...options });
}

const pendingOf = (subscriptionId: string) => fixture.db.delivery.count({ where: { subscriptionId } });

/** Resumes a subscription as the API does, and creates the deliveries of its gap. @returns number of events in the gap */
async function resume(id: string, fillGap: boolean): Promise<number> {
  const gapEvents = await fixture.resume(id, fillGap);
  await fixture.backfill();
  return gapEvents;
}

/** IDs of events in the order in which the receiver accepted them. */
const receivedEvents = () => receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
async function storedEvents(): Promise<string[]> {
  return (await fixture.db.event.findMany({ orderBy: { sequence: "asc" } })).map(({ id }) => id);
}

test("fails the subscription with the most pending deliveries and removes them, and no others", async () => {
  const worst = await fixture.subscribe(url);
  await fixture.publish(8);
  const other = await fixture.subscribe(`${url}other`);
  await fixture.publish(3);
  const foreign = await createSubscriptionWithBacklog(fixture, url, maxPending);
  const changes = vi.fn<(state: string) => void>();
  const removals = vi.fn<(count: number) => void>();
  const warn = vi.fn<(context: object, text: string) => void>();
  const observer = { subscriptionChanged: changes, pendingRemoved: removals };
  await limit({ observer, log: { ...silent, warn } });
  const { status, failureReason, failureCount, failedAt, gapFrom } = await readSubscription(
    fixture,
    worst.id,
  );
  expect({ status, failureCount, failureReason }).toEqual({
    status: "failed",
    failureCount: 0,
    failureReason:
      "the organization had more than 10 pending deliveries, so those of this subscription were removed; resume it with fill_gap to send them",
  });
  expect(gapFrom).toEqual(failedAt);
  expect(await Promise.all([worst.id, other.id, foreign].map(pendingOf))).toEqual([0, 3, maxPending]);
  expect(await readSubscription(fixture, other.id)).toMatchObject({ status: "active", gapFrom: null });
  expect([changes.mock.calls, removals.mock.calls]).toEqual([[["failed"]], [[11]]]);
  expect(warn.mock.calls).toEqual([
    [
      { organization: fixture.organizationId, subscription: worst.id, removed: 11 },
      "pending deliveries removed: the organization exceeded the limit",
    ],
  ]);
  const [notice] = await fixture.db.notice.findMany();
  expect(notice?.type).toBe("subscription.failed");
  expect(JSON.parse(notice?.body ?? "")).toMatchObject({
    data: { subscription_id: worst.id, failure_reason: failureReason },
  });
});

test("removes nothing at the limit, and nothing without a limit", async () => {
  const { id } = await fixture.subscribe(url);
  await fixture.publish(maxPending);
  await limit();
  await fixture.publish(1);
  await limit({ maxPending: 0 });
  expect(await pendingOf(id)).toBe(maxPending + 1);
  await limit();
  expect(await pendingOf(id)).toBe(0);
});

test("prefers a subscription that fails, unless it has few pending deliveries", async () => {
  const failing = await fixture.subscribe(url);
  await fixture.db.subscription.update({
    where: { id: failing.id },
    data: { failureCount: 1, failureReason: "the receiver responded with 503" },
  });
  await fixture.publish(2);
  const steady = await fixture.subscribe(`${url}steady`);
  await fixture.publish(9);
  await limit();
  expect(await readSubscription(fixture, failing.id)).toMatchObject({
    status: "failed",
    failureReason: expect.stringMatching(
      /^the organization had .* \(failure before: the receiver responded with 503\)$/,
    ),
  });
  expect(await pendingOf(steady.id)).toBe(9);
  await resume(failing.id, false);
  await fixture.db.subscription.update({ where: { id: failing.id }, data: { failureCount: 1 } });
  await fixture.db.subscription.update({ where: { id: steady.id }, data: { rateLimit: 1 } });
  await fixture.publish(1); // 1 and 10 pending ones now: one counts as ten, which is not more.
  await fixture.publish(2);
  await fixture.db.delivery.deleteMany({
    where: { subscriptionId: failing.id, eventId: { in: (await storedEvents()).slice(-2) } },
  });
  await limit();
  expect(await readSubscription(fixture, steady.id)).toMatchObject({ status: "failed" });
  expect(await readSubscription(fixture, failing.id)).toMatchObject({ status: "active" });
});

test("repeats until the organization is below the limit", async () => {
  const ids = await Promise.all([1, 2, 3].map(async (i) => (await fixture.subscribe(`${url}${i}`)).id));
  await fixture.publish(7);
  await limit();
  const pending = await Promise.all(ids.map(pendingOf));
  expect(pending.toSorted((a, b) => a - b)).toEqual([0, 0, 7]);
});

test("fill_gap sends what was removed, including deliveries that had failed; nothing twice", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  receiver.respond = respondingWith(200);
  const worker = await fixture.startWorker();
  await fixture.publish(2);
  await attemptsReach(fixture, 2);
  receiver.respond = respondingWith(503);
  await fixture.publish(11);
  await subscriptionBecomes(fixture, id, { failureCount: 1 });
  await worker.stop();
  const failed = await fixture.db.deliveryAttempt.count({ where: { outcome: "failed" } });
  expect(failed).toBeGreaterThan(0);
  await limit();
  expect(await pendingOf(id)).toBe(0);
  await fixture.publish(1); // While it is failed.
  expect(await resume(id, true)).toBe(12);
  receiver.received.length = 0;
  receiver.respond = respondingWith(200);
  await fixture.startWorker();
  await vi.waitFor(async () => expect(await fixture.db.delivery.count()).toBe(0), soon);
  expect(receivedEvents().toSorted()).toEqual((await storedEvents()).slice(2).toSorted());
});

test("without fill_gap, sends only later events", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  await fixture.publish(11);
  await limit();
  expect(await resume(id, false)).toBe(0);
  await fixture.publish(2);
  await fixture.startWorker();
  await attemptsReach(fixture, 2);
  expect(receivedEvents().toSorted()).toEqual((await storedEvents()).slice(-2).toSorted());
  await subscriptionBecomes(fixture, id, { gapFrom: null, failureReason: null });
});

test("keeps redeliveries", async () => {
  const { id: subscriptionId } = await fixture.subscribe(url);
  await fixture.publish(12);
  const { organizationId } = fixture;
  const [eventId = ""] = await storedEvents();
  await fixture.publisher.change(organizationId, async ({ tx }) => {
    const row = { organizationId, subscriptionId, eventId };
    await redeliverEvent(tx, row as Parameters<typeof redeliverEvent>[1], null);
  });
  await limit();
  expect(await fixture.db.delivery.findMany({ where: { subscriptionId } })).toMatchObject([
    { eventId, redelivery: true },
  ]);
});

test("stops no subscription because of redeliveries", async () => {
  await fixture.subscribe(url);
  await fixture.publish(11);
  await fixture.db.delivery.updateMany({ data: { redelivery: true } });
  await fixture.subscribe(`${url}other`);
  await fixture.publish(5);
  await limit();
  expect(await fixture.db.subscription.count({ where: { status: "failed" } })).toBe(0);
});

test("waits for the attempts in flight, whose results are recorded", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  const held = holding();
  receiver.respond = held.respond;
  await fixture.startWorker();
  await fixture.publish(20);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(8), soon);
  const limiting = limit();
  await subscriptionBecomes(fixture, id, { status: "failed" });
  expect(await pendingOf(id)).toBe(20);
  held.release(respondingWith(200));
  await limiting;
  expect(await pendingOf(id)).toBe(0);
  expect(await fixture.db.deliveryAttempt.count({ where: { outcome: "delivered" } })).toBe(8);
  expect(await resume(id, true)).toBe(12);
  await attemptsReach(fixture, 20);
  expect(new Set(receivedEvents()).size).toBe(20);
});

test("leaves the deliveries to the next run while a worker keeps the lease", async () => {
  const { id } = await fixture.subscribe(url);
  const steady = await fixture.subscribe(`${url}steady`);
  await fixture.publish(9);
  await fixture.db.delivery.deleteMany({
    where: { subscriptionId: steady.id, eventId: { in: (await storedEvents()).slice(0, 2) } },
  });
  await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: 1n } });
  await limit({ longestWaitMs: 0 });
  expect(await Promise.all([id, steady.id].map(pendingOf))).toEqual([9, 7]);
  await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: null } });
  await limit();
  expect(await Promise.all([id, steady.id].map(pendingOf))).toEqual([0, 7]);
  expect(await fixture.db.notice.count()).toBe(1);
});

test("stops waiting for a worker if the subscription is resumed, and removes nothing", async () => {
  const { id } = await fixture.subscribe(url);
  await fixture.publish(11);
  await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: 1n } });
  const limiting = limit({ longestWaitMs: 3_600_000 });
  await subscriptionBecomes(fixture, id, { status: "failed" });
  await resume(id, false);
  await limiting;
  expect(await pendingOf(id)).toBe(11);
  expect((await readSubscription(fixture, id)).status).toBe("active");
});

test("an interrupted run is continued with the same subscription", async () => {
  const { id } = await fixture.subscribe(url);
  const steady = await fixture.subscribe(`${url}steady`);
  await fixture.publish(9);
  // A run was killed after it had failed the subscription and removed most of its deliveries; then the other one received more.
  await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: 1n } });
  await fixture.db.delivery.deleteMany({ where: { subscriptionId: steady.id } });
  await fixture.publish(2);
  await limit({ longestWaitMs: 0 });
  await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: null } });
  await fixture.db.delivery.deleteMany({
    where: { subscriptionId: id, eventId: { in: (await storedEvents()).slice(1) } },
  });
  await fixture.publish(8);
  await limit();
  expect(await Promise.all([id, steady.id].map(pendingOf))).toEqual([0, 10]);
});

test("nothing is lost and records stay in order while several workers deliver, connections break and runs overlap", async () => {
  const { id } = await fixture.subscribe(receiver.url, { ordering: "record" });
  const records = Array.from({ length: 20 }, () => randomUUID());
  const versions = 10;
  let removed = 0;
  // Slow until the limit is exceeded for the first time, so that publishing is faster than the deliveries.
  receiver.respond = (response) =>
    void setTimeout(() => response.end("ok"), removed === 0 ? 300 : 60 * Math.random());
  await Promise.all([1, 2, 3].map(() => fixture.startWorker()));
  const observer = {
    pendingRemoved(count: number) {
      removed += count;
    },
  };
  let isOver = false;
  async function repeatedly(work: () => Promise<unknown>, ms: number): Promise<void> {
    while (!isOver) {
      await work().catch(() => undefined); // Its connection may be terminated.
      await new Promise((resolve) => setTimeout(resolve, ms * Math.random()));
    }
  }
  const disturbing = [
    repeatedly(() => limit({ maxPending: 30, observer }), 50),
    repeatedly(() => limit({ maxPending: 30, observer }), 50),
    repeatedly(async () => {
      const { status } = await readSubscription(fixture, id);
      // The first time only after deliveries were removed.
      if (status === "failed" && removed > 0) await resume(id, true);
    }, 500),
    repeatedly(
      () =>
        fixture.db.$queryRaw`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.1`,
      300,
    ),
  ];
  for (let version = 1; version <= versions; version += 1) {
    const add = () =>
      fixture.publisher.change(fixture.organizationId, async ({ publish }) => {
        for (const record of records) publish(leadCreated(null, { id: record, score: version }));
      });
    // If the connection breaks before the commit is confirmed, the change may have been made.
    const before = await countEvents();
    await add().catch(() => undefined);
    while ((await countEvents()) === before) await add().catch(() => undefined);
  }
  await vi.waitFor(() => expect(removed).toBeGreaterThan(0), soon);
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // More disturbances.
  isOver = true;
  await Promise.all(disturbing);
  await vi.waitFor(async () => {
    const { status } = await readSubscription(fixture, id);
    if (status === "failed") await resume(id, true);
    else await fixture.backfill();
    // In this order: an event is skipped, then pending, then delivered.
    expect(await readSubscription(fixture, id)).toMatchObject({ status: "active", gapFrom: null });
    expect(await fixture.db.delivery.count()).toBe(0);
  }, soon);
  expect(new Set(receivedEvents())).toEqual(new Set(await storedEvents()));
  for (const record of records) {
    const arrived = receiver.received.flatMap(({ body }) => {
      const { data } = JSON.parse(body) as { data: { id: string; attributes: { score: number } } };
      return data.id === record ? [data.attributes.score] : [];
    });
    expect(arrived).toEqual(arrived.toSorted((a, b) => a - b));
  }
});

/** Counts events, also while connections break. */
async function countEvents(): Promise<number> {
  for (;;) {
    const count = await fixture.db.event.count().catch(() => undefined);
    if (count !== undefined) return count;
  }
}
