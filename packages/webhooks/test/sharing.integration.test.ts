import { connect } from "@parley/database";
import type { Client, Pool, QueryConfig } from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DeliveryObserver, WorkerOptions } from "../src/index.ts";
import { channel, type Notification, notify } from "../src/notifications.ts";
import {
  advanceClock,
  attemptsReach,
  countingQueries,
  createSubscriptionWithBacklog,
  holding,
  type Receiver,
  readSubscription,
  soon,
  useDeliveryFixture,
  watchNotifications,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();
let listener: Client;
let received: Notification[];
beforeEach(async () => {
  received = [];
  listener = await connect(fixture.databaseUrl);
  listener.on("notification", ({ payload }) => void received.push(JSON.parse(payload ?? "")));
  await listener.query(`LISTEN ${channel}`);
});
afterEach(() => listener.end());

const limits = { maxInFlight: 16, maxInFlightPerSubscription: 8 };
/** An eighth is kept for other organizations. */
const usable = 14;

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
  await attemptsReach(fixture, count);
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

/** Starts one worker, and another once all slots of the first are in use. The receiver is slow until the second has sent something. */
async function startTwo(options: Partial<WorkerOptions> = {}): Promise<{ sent: number }[]> {
  const [first, second] = [counting(), counting()];
  receiver.respond = (response) => void setTimeout(() => response.end(), second.sent > 0 ? 0 : 50);
  await fixture.startWorker({ ...limits, ...options, observer: first.observer });
  await vi.waitFor(() => expect(first.sent).toBeGreaterThanOrEqual(usable), soon);
  await fixture.startWorker({ ...limits, observer: second.observer });
  return [first, second];
}

describe("a worker that is started later", () => {
  test("gets subscriptions from the first worker", async () => {
    await subscribe(8, 100);
    const [first, second] = await startTwo();
    await allArrive(800);
    expect(second?.sent).toBeGreaterThan(0);
    expect((first?.sent ?? 0) + (second?.sent ?? 0)).toBe(800);
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
    await subscribe(1, 200);
    const [first, second] = [counting(), counting()];
    receiver.respond = (response) => void setTimeout(() => response.end(), 20);
    await fixture.startWorker({ ...limits, observer: first.observer });
    await vi.waitFor(() => expect(first.sent).toBeGreaterThan(0), soon);
    await fixture.startWorker({ ...limits, observer: second.observer });
    await vi.waitFor(() => expect(shareRequests()).not.toHaveLength(0), soon);
    await allArrive(200);
    expect(second?.sent).toBe(0);
  });
});

test("hands over subscriptions whose receivers do not respond to a worker with free slots", async () => {
  const slow = holding();
  receiver.respond = slow.respond;
  const [first = ""] = await subscribe(2, 20);
  const { organizationId } = await readSubscription(fixture, first);
  await fixture.startWorker(limits);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(usable), soon);
  const healthy = await fixture.startReceiver();
  const id = await createSubscriptionWithBacklog(fixture, healthy.url, 5, organizationId);
  await vi.waitFor(
    async () => expect((await readSubscription(fixture, id)).queue?.leaseWorker).not.toBeNull(),
    soon,
  );
  expect(healthy.received).toHaveLength(0);

  await fixture.startWorker(limits);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(5), soon);
  expect(receiver.received).toHaveLength(usable);
  slow.release((response) => response.end());
  await allArrive(45, healthy);
});

test("does not lease a subscription for a second after it was handed over", async () => {
  const slow = holding();
  receiver.respond = slow.respond;
  const all = await subscribe(8, 20);
  const now = Date.now() + 1;
  const { connect: connectWatched, received: receivedShare } = watchNotifications(
    fixture.databaseUrl,
    "share",
  );
  await fixture.startWorker({ ...limits, connect: connectWatched, clock: () => now + fixture.clock.ahead });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(usable), soon);
  await notify(fixture.pool, { kind: "share", worker: "42", freeSlots: 16 }); // This worker ends before it is notified of its share.
  await receivedShare();
  slow.release((response) => response.end());
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
  await allArrive(160);
});

test("requests no subscriptions while no delivery is pending, although other workers keep leases", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  const now = Date.now() + 60_000; // This clock stands still, so that the lease does not end.
  const { db, count } = countingQueries(fixture.pool, "find-pending-subscriptions");
  for (let i = 0; i < 2; i += 1) await fixture.startWorker({ db, clock: () => now });
  await fixture.publish(1);
  await allArrive(1);
  const moreLooks = (from: number) => vi.waitFor(() => expect(count()).toBeGreaterThan(from + 6), soon);
  await moreLooks(count());
  received.length = 0; // While the delivery was pending, the worker without the lease may have requested it.
  await moreLooks(count());
  expect((await readSubscription(fixture, id)).queue?.leaseWorker).not.toBeNull();
  expect(shareRequests()).toEqual([]);
});
