import { connect } from "@parley/database";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { DeliveryObserver } from "../src/index.ts";
import { notify } from "../src/notifications.ts";
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
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();

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

describe("a worker that is started later", () => {
  test("gets subscriptions from the first worker", async () => {
    await subscribe(8, 100);
    const [first, second] = [counting(), counting()];
    receiver.respond = (response) => void setTimeout(() => response.end(), second.sent > 0 ? 0 : 200);
    await fixture.startWorker({ ...limits, observer: first.observer });
    await vi.waitFor(() => expect(first.sent).toBeGreaterThanOrEqual(usable), soon);
    await fixture.startWorker({ ...limits, observer: second.observer });
    await allArrive(800);
    expect(second.sent).toBeGreaterThan(0);
    expect(first.sent + second.sent).toBe(800);
  });

  test("gets no subscriptions from a worker that has enough slots", async () => {
    await subscribe(4, 100);
    const [first, second] = [counting(), counting()];
    const slow = holding();
    receiver.respond = slow.respond;
    const { db, count } = countingQueries(fixture.pool, "read-all-leases");
    const options = { ...limits, maxInFlight: 64, db, intervals: { sweepMs: 50 } };
    await fixture.startWorker({ ...options, observer: first.observer });
    await vi.waitFor(() => expect(first.sent).toBe(32), soon);
    await fixture.startWorker({ ...options, observer: second.observer });
    const from = count();
    await vi.waitFor(() => expect(count()).toBeGreaterThan(from + 8), soon);
    slow.release((response) => response.end());
    await allArrive(400);
    expect(second.sent).toBe(0);
  });
});

test("leaves a subscription to a worker with free slots if the receivers of others do not respond", async () => {
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

test("leaves half of its subscriptions for a second to a worker that takes none", async () => {
  const slow = holding();
  receiver.respond = slow.respond;
  await subscribe(8, 20);
  const now = Date.now() + 1;
  const { db, count } = countingQueries(fixture.pool, "read-all-leases");
  const intervals = { sweepMs: 50 };
  await fixture.startWorker({ ...limits, db, intervals, clock: () => now + fixture.clock.ahead });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(usable), soon);
  const other = await connect(fixture.databaseUrl);
  onTestFinished(() => other.end());
  await other.query("SELECT pg_advisory_lock(42)"); // As the session of a worker does.
  const sweeps = (from: number) => vi.waitFor(() => expect(count()).toBeGreaterThan(from + 4), soon);
  await sweeps(count());
  slow.release((response) => response.end());
  const free = () => fixture.db.subscriptionQueue.findMany({ where: { leaseWorker: null } });
  await vi.waitFor(async () => expect(await free()).toHaveLength(4), soon);
  const left = { subscriptionId: { in: (await free()).map(({ subscriptionId }) => subscriptionId) } };
  await vi.waitFor(
    async () => expect(await fixture.db.delivery.count({ where: { NOT: left } })).toBe(0),
    soon,
  );
  await notify(fixture.pool, { kind: "pending", subscriptions: left.subscriptionId.in });
  await sweeps(count());
  const queues = await fixture.db.subscriptionQueue.findMany({ where: left });
  expect(queues.map(({ leaseWorker }) => leaseWorker)).toEqual([null, null, null, null]);

  await other.end();
  await advanceClock(fixture, 1_000);
  await allArrive(160);
});
