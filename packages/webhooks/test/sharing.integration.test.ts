import { connect } from "@parley/database";
import type { Client, Pool, QueryConfig } from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DeliveryObserver, WorkerOptions } from "../src/index.ts";
import { channel, type Notification, notify } from "../src/notifications.ts";
import {
  advanceClock,
  createSubscriptionWithBacklog,
  type DeliveryFixture,
  holding,
  type Receiver,
  readSubscription,
  soon,
  startDeliveryFixture,
  startReceiver,
} from "../src/testing/index.ts";

let fixture: DeliveryFixture;
let receiver: Receiver;
let listener: Client;
let received: Notification[];
beforeEach(async () => {
  fixture = await startDeliveryFixture();
  receiver = await startReceiver((response) => void setTimeout(() => response.end(), 20));
  received = [];
  listener = await connect(fixture.databaseUrl);
  listener.on("notification", ({ payload }) => void received.push(JSON.parse(payload ?? "")));
  await listener.query(`LISTEN ${channel}`);
});
afterEach(async () => {
  await listener.end();
  await fixture.close();
  await receiver.close();
});

const limits = { maxInFlight: 16, maxInFlightPerSubscription: 8, timeoutMs: 20_000 };

async function subscribe(count: number, deliveries: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1)
    ids.push(await createSubscriptionWithBacklog(fixture, receiver.url, deliveries));
  return ids;
}

/** Counts what a worker sends. */
function counting(): { sent: number; observer: Partial<DeliveryObserver> } {
  const count = {
    sent: 0,
    observer: { sending: () => void count.sent++ },
  };
  return count;
}

/** Waits until a number of deliveries have arrived, each once, and are recorded. */
async function allArrive(count: number, ...others: Receiver[]): Promise<void> {
  await vi.waitFor(async () => expect(await fixture.db.deliveryAttempt.count()).toBe(count), {
    timeout: 20_000,
    interval: 20,
  });
  const received = [receiver, ...others].flatMap((one) => one.received);
  expect(received).toHaveLength(count);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(count);
}

/** Returns the subscriptions handed over to a worker so far. */
function handedOver(worker: string): string[] {
  return received.flatMap((one) =>
    one.kind === "pending" && one.to === worker && one.subscriptions !== "all" ? one.subscriptions : [],
  );
}

const shareRequests = () => received.filter(({ kind }) => kind === "share");

/** Starts one worker, and another once all slots of the first are in use. */
async function startTwo(options: Partial<WorkerOptions> = {}): Promise<{ sent: number }[]> {
  const [first, second] = [counting(), counting()];
  await fixture.startWorker({ ...limits, ...options, observer: first.observer });
  await vi.waitFor(() => expect(first.sent).toBeGreaterThanOrEqual(limits.maxInFlight), soon);
  await fixture.startWorker({ ...limits, observer: second.observer });
  return [first, second];
}

describe("a worker that is started later", () => {
  test("gets subscriptions from the first worker", async () => {
    await subscribe(8, 200);
    const [first, second] = await startTwo();
    await allArrive(1_600);
    expect(second?.sent).toBeGreaterThan(0);
    expect((first?.sent ?? 0) + (second?.sent ?? 0)).toBe(1_600);
  });

  test("finds subscriptions if the notification is lost", async () => {
    await subscribe(8, 100);
    const query = async (config: QueryConfig) => {
      if (config.name === "notify") throw new Error("Connection terminated unexpectedly");
      return fixture.pool.query(config);
    };
    const now = Date.now() + 1;
    const [, second] = await startTwo({ db: { query } as unknown as Pool, clock: () => now });
    await allArrive(800);
    expect(second?.sent).toBeGreaterThan(0);
  });

  test("gets no subscriptions from a worker that has enough slots", async () => {
    const slow = holding();
    receiver.respond = slow.respond;
    await subscribe(2, 50);
    const [, second] = await startTwo();
    await vi.waitFor(() => expect(shareRequests()).not.toHaveLength(0), soon);
    slow.release((response) => response.end());
    await allArrive(100);
    expect(second?.sent).toBe(0);
  });
});

test("hands over subscriptions whose receivers do not respond to a worker with free slots", async () => {
  const slow = holding();
  receiver.respond = slow.respond;
  await subscribe(2, 20);
  await fixture.startWorker(limits);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(limits.maxInFlight), soon);
  const healthy = await startReceiver();
  const id = await createSubscriptionWithBacklog(fixture, healthy.url, 5);
  await vi.waitFor(
    async () => expect((await readSubscription(fixture, id)).queue?.leaseWorker).not.toBeNull(),
    soon,
  );
  expect(healthy.received).toHaveLength(0);

  await fixture.startWorker(limits);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(5), soon);
  expect(receiver.received).toHaveLength(limits.maxInFlight);
  slow.release((response) => response.end());
  await allArrive(45, healthy);
  await healthy.close();
});

test("does not lease a subscription for a second after it was handed over", async () => {
  const all = await subscribe(8, 100);
  const now = Date.now() + 1;
  await fixture.startWorker({ ...limits, clock: () => now + fixture.clock.ahead });
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(limits.maxInFlight), soon);
  await notify(fixture.pool, { kind: "share", worker: "42", freeSlots: 16 }); // This worker ends before it is notified of its share.
  await vi.waitFor(() => expect(handedOver("42")).toHaveLength(4), soon);
  const given = handedOver("42");
  await notify(fixture.pool, { kind: "pending", subscriptions: given });
  await notify(fixture.pool, { kind: "pending", subscriptions: "all" });

  const kept = { subscriptionId: { in: all.filter((id) => !given.includes(id)) } };
  await vi.waitFor(async () => expect(await fixture.db.delivery.count({ where: kept })).toBe(0), soon);
  expect(await fixture.db.delivery.count()).toBeGreaterThan(0);
  const queues = await fixture.db.subscriptionQueue.findMany({ where: { subscriptionId: { in: given } } });
  expect(queues.map(({ leaseWorker }) => leaseWorker)).toEqual([null, null, null, null]);

  await advanceClock(fixture, 1_000);
  await allArrive(800);
});

test("requests no subscriptions while no delivery is pending, although other workers keep leases", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  await fixture.startWorker();
  await fixture.startWorker();
  await fixture.publish(1);
  await allArrive(1);
  await vi.waitFor(
    async () => expect((await readSubscription(fixture, id)).queue?.leaseWorker).toBeNull(),
    soon,
  );
  expect(shareRequests()).toEqual([]);
});
