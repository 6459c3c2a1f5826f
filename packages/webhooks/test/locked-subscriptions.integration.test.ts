/** While another transaction has locked a subscription, workers wait for no other one. */
import type { Pool, PoolClient, QueryConfig } from "pg";
import { afterEach, expect, test, vi } from "vitest";
import {
  attemptsReach,
  holding,
  readSubscription,
  respondingWith,
  soon,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();
const open: PoolClient[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) {
    await client.query("ROLLBACK");
    client.release();
  }
});

/** Locks rows in a transaction. @returns a function that ends it */
async function lock(statement: string, id: string): Promise<() => Promise<void>> {
  const client = await fixture.pool.connect();
  open.push(client);
  await client.query("BEGIN");
  await client.query(statement, [id]);
  return async () => void (await client.query("COMMIT"));
}

const lockQueue = (id: string) =>
  lock("SELECT FROM subscription_queues WHERE subscription_id = $1 FOR UPDATE", id);

const leaseOf = async (id: string) =>
  (await fixture.db.subscriptionQueue.findUniqueOrThrow({ where: { subscriptionId: id } })).leaseWorker;

test("results of others are recorded, and its own are when the lock ends", async () => {
  const [held, free] = [holding(), await fixture.startReceiver()];
  Object.assign(receiver, { respond: held.respond });
  const { id } = await fixture.subscribe(receiver.url);
  await fixture.startWorker();
  await fixture.publish(2);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
  const unlock = await lockQueue(id);
  held.release(respondingWith(500));
  await fixture.subscribe(free.url);
  await fixture.publish(3);
  await attemptsReach(fixture, 3);
  expect(free.received).toHaveLength(3);
  expect((await readSubscription(fixture, id)).failureCount).toBe(0);
  await unlock();
  await vi.waitFor(
    async () => expect((await readSubscription(fixture, id)).failureCount).toBeGreaterThan(0),
    soon,
  );
  await vi.waitFor(async () => {
    const attempts = await fixture.db.deliveryAttempt.findMany({ where: { subscriptionId: id } });
    expect(attempts.filter(({ outcome }) => outcome === "failed").length).toBeGreaterThanOrEqual(2);
  }, soon);
});

test("a circuit waits for the subscription's own row, too", async () => {
  const held = holding();
  Object.assign(receiver, { respond: held.respond });
  const { id } = await fixture.subscribe(receiver.url);
  await fixture.startWorker();
  await fixture.publish(1);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  const unlock = await lock("SELECT FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE", id);
  held.release(respondingWith(500));
  const other = await fixture.startReceiver();
  await fixture.subscribe(other.url);
  await fixture.publish(1);
  await attemptsReach(fixture, 1);
  expect(other.received).toHaveLength(1);
  await unlock();
  await vi.waitFor(async () => expect((await readSubscription(fixture, id)).failureCount).toBe(1), soon);
});

test("its lease is returned later, those of others now", async () => {
  const other = await fixture.startReceiver();
  const [{ id }, { id: otherId }] = [
    await fixture.subscribe(receiver.url),
    await fixture.subscribe(other.url),
  ];
  await fixture.startWorker();
  await fixture.publish(1);
  await attemptsReach(fixture, 2);
  const unlock = await lockQueue(id);
  await vi.waitFor(async () => expect(await leaseOf(otherId)).toBeNull(), soon);
  expect(await leaseOf(id)).not.toBeNull();
  await unlock();
  await vi.waitFor(async () => expect(await leaseOf(id)).toBeNull(), soon);
});

test("the leases of a worker that died are freed, except its lease; sweeps do not pile up", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  const { id: other } = await fixture.subscribe((await fixture.startReceiver()).url);
  await fixture.db.subscriptionQueue.updateMany({ data: { leaseWorker: 7n } });
  const unlock = await lockQueue(id);
  let running = 0;
  let most = 0;
  const query = async (statement: QueryConfig) => {
    if (statement.name !== "read-all-leases") return fixture.pool.query(statement);
    running += 1;
    most = Math.max(most, running);
    const result = await fixture.pool.query(statement);
    await new Promise((resolve) => setTimeout(resolve, 100)); // A slow sweep.
    running -= 1;
    return result;
  };
  await fixture.startWorker({ db: { query } as unknown as Pool, intervals: { sweepMs: 10 } });
  await vi.waitFor(async () => expect(await leaseOf(other)).toBeNull(), soon);
  expect([await leaseOf(id), most]).toEqual([7n, 1]);
  await unlock();
  await vi.waitFor(async () => expect(await leaseOf(id)).toBeNull(), soon);
});

test("a statement that hangs is a problem until it ends", async () => {
  await fixture.subscribe(receiver.url);
  const hanging = Promise.withResolvers<void>();
  const query = async (statement: QueryConfig) => {
    if (statement.name === "record-results") await hanging.promise;
    return fixture.pool.query(statement);
  };
  const worker = await fixture.startWorker({
    db: { query } as unknown as Pool,
    intervals: { problemMs: 100 },
  });
  await fixture.publish(1);
  await vi.waitFor(() => expect(worker.problem()).toBe("deliveries cannot be read or recorded"), soon);
  hanging.resolve();
  await attemptsReach(fixture, 1);
  await vi.waitFor(() => expect(worker.problem()).toBeNull(), soon);
});
