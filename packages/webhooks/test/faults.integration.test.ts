import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DeliveryObserver, Logger } from "../src/index.ts";
import {
  advanceClock,
  attemptsReach,
  readSubscription,
  soon,
  subscriptionBecomes,
  useDeliveryFixture,
} from "../src/testing/index.ts";

// Faults that one subscription or one notification causes must not stop the others.

const { fixture, receiver } = useDeliveryFixture();
let observer: { [Name in keyof DeliveryObserver]: ReturnType<typeof vi.fn<DeliveryObserver[Name]>> };
let log: { [Level in keyof Logger]: ReturnType<typeof vi.fn<Logger[Level]>> };
beforeEach(() => {
  observer = {
    sending: vi.fn<DeliveryObserver["sending"]>(),
    attempted: vi.fn<DeliveryObserver["attempted"]>(),
    subscriptionChanged: vi.fn<DeliveryObserver["subscriptionChanged"]>(),
    stepFailed: vi.fn<DeliveryObserver["stepFailed"]>(),
    subscriptionIsolated: vi.fn<DeliveryObserver["subscriptionIsolated"]>(),
    pendingRemoved: vi.fn<DeliveryObserver["pendingRemoved"]>(),
    eventsRemoved: vi.fn<DeliveryObserver["eventsRemoved"]>(),
    notificationDropped: vi.fn<DeliveryObserver["notificationDropped"]>(),
  };
  log = {
    info: vi.fn<Logger["info"]>(),
    warn: vi.fn<Logger["warn"]>(),
    error: vi.fn<Logger["error"]>(),
  };
});

const messages = (level: keyof Logger) => log[level].mock.calls.map(([, message]) => message);

/** Makes PostgreSQL reject writes of one subscription's rows to a table. */
async function refuseWrites(table: string, when: string, id: string, condition = "true"): Promise<void> {
  await fixture.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
    CREATE TRIGGER refuse BEFORE ${when} ON ${table} FOR EACH ROW
      WHEN (NEW.subscription_id = '${id}' AND ${condition}) EXECUTE FUNCTION refuse()`);
}

const allowWrites = () => fixture.pool.query("DROP FUNCTION IF EXISTS refuse CASCADE");
afterEach(async () => void (await allowWrites())); // Also if the test fails.

describe("a malformed notification", () => {
  test("is dropped, logged and counted, and deliveries continue", async () => {
    await fixture.subscribe(receiver.url);
    const worker = await fixture.startWorker({ observer, log });
    await fixture.db.$executeRaw`SELECT pg_notify('parley_webhooks', 'not json')`;
    await vi.waitFor(() => expect(observer.notificationDropped).toHaveBeenCalledTimes(1), soon);
    expect(messages("warn")).toEqual(["malformed notification ignored"]);
    await fixture.publish(3);
    await attemptsReach(fixture, 3);
    expect(observer.stepFailed).not.toHaveBeenCalled();
    expect(worker.problem()).toBeNull();
  });

  test("with an unknown ID changes nothing", async () => {
    await fixture.subscribe(receiver.url);
    await fixture.startWorker({ observer, log });
    const unknown = "ffffffff-ffff-ffff-ffff-ffffffffffff";
    await fixture.db
      .$executeRaw`SELECT pg_notify('parley_webhooks', ${`{"kind":"pending","subscriptions":["${unknown}"]}`})`;
    await fixture.publish(3);
    await attemptsReach(fixture, 3);
    expect(messages("error")).toEqual([]);
  });
});

describe("a subscription that makes a statement fail", () => {
  test.each([
    { statement: "leases", table: "subscription_queues", when: "UPDATE OF lease_worker" },
    { statement: "records", table: "delivery_attempts", when: "INSERT" },
  ])(
    "when the worker $statement is skipped for a minute, and the others get their deliveries",
    async ({ table, when }) => {
      const bad = await fixture.subscribe(receiver.url);
      const others = await Promise.all(Array.from({ length: 5 }, () => fixture.subscribe(receiver.url)));
      await refuseWrites(table, when, bad.id);
      const worker = await fixture.startWorker({ observer, log });
      await fixture.publish(4);
      await vi.waitFor(async () => {
        const delivered = await fixture.db.deliveryAttempt.groupBy({ by: ["subscriptionId"], _count: true });
        expect(delivered).toHaveLength(others.length);
        expect(delivered.every(({ _count }) => _count === 4)).toBe(true);
      }, soon);
      await vi.waitFor(() => expect(observer.subscriptionIsolated).toHaveBeenCalled(), soon);
      expect(
        log.error.mock.calls.map(([details]) => (details as { subscription?: string }).subscription),
      ).toContain(bad.id);
      await fixture.publish(1);
      await attemptsReach(fixture, 4 * others.length + others.length);
      expect(worker.problem()).toBeNull();
      expect(await fixture.db.delivery.count({ where: { subscriptionId: bad.id } })).toBe(5); // Nothing is lost.

      await allowWrites();
      await advanceClock(fixture, 61_000);
      await attemptsReach(fixture, 5 * others.length + 5);
      expect(await fixture.db.delivery.count()).toBe(0);
    },
  );

  test("when its abandoned lease is removed does not block removing the leases of other subscriptions", async () => {
    const bad = await fixture.subscribe(receiver.url);
    const good = await fixture.subscribe(receiver.url);
    await fixture.db.subscriptionQueue.updateMany({ data: { leaseWorker: 12_345n } });
    await refuseWrites("subscription_queues", "UPDATE OF lease_worker", bad.id, "NEW.lease_worker IS NULL");
    await fixture.publish(1);
    const worker = await fixture.startWorker({ observer, log, intervals: { sweepMs: 200, problemMs: 100 } });
    await attemptsReach(fixture, 1);
    expect(await fixture.db.deliveryAttempt.count({ where: { subscriptionId: good.id } })).toBe(1);
    await vi.waitFor(
      () => expect(worker.problem()).toBe("leases of other workers cannot be recovered"),
      soon,
    );
    expect(messages("error")).toContain("delivery worker step failed; retrying");
    await allowWrites();
    await attemptsReach(fixture, 2);
    await vi.waitFor(() => expect(worker.problem()).toBeNull(), soon);
  });

  test("when its lease is returned does not block returning others", async () => {
    const bad = await fixture.subscribe(receiver.url);
    const good = await fixture.subscribe(receiver.url);
    await fixture.startWorker({ observer, log });
    await fixture.publish(1);
    await attemptsReach(fixture, 2);
    await refuseWrites("subscription_queues", "UPDATE OF lease_worker", bad.id, "NEW.lease_worker IS NULL");
    fixture.clock.ahead += 2_000;
    await vi.waitFor(
      async () => expect((await readSubscription(fixture, good.id)).queue?.leaseWorker).toBeNull(),
      soon,
    );
    expect((await readSubscription(fixture, bad.id)).queue?.leaseWorker).not.toBeNull();
    await allowWrites();
    await advanceClock(fixture, 61_000);
    await vi.waitFor(
      async () => expect((await readSubscription(fixture, bad.id)).queue?.leaseWorker).toBeNull(),
      soon,
    );
  });
});

test("a target URL that cannot be requested makes only its subscription fail", async () => {
  const bad = await fixture.subscribe(receiver.url);
  await fixture.db.subscription.update({ where: { id: bad.id }, data: { targetUrl: "not a url" } });
  await fixture.subscribe(receiver.url);
  await fixture.startWorker({ observer, log });
  await fixture.publish(1);
  await subscriptionBecomes(fixture, bad.id, {
    failureCount: 1,
    failureReason: "the request could not be sent",
  });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
});

describe("a step that keeps failing", () => {
  test("is logged, counted, retried with backoff and reported as a problem, and the worker recovers", async () => {
    await fixture.subscribe(receiver.url);
    let isBroken = true;
    const query = async (statement: { name?: string }) => {
      if (isBroken && statement.name === "take-leases") throw new Error("no permission");
      return fixture.pool.query(statement as never);
    };
    const db = { query } as unknown as typeof fixture.pool;
    const startedAt = performance.now();
    const worker = await fixture.startWorker({ observer, log, db, intervals: { problemMs: 100 } });
    const patient = await fixture.startWorker({ db, intervals: { problemMs: 3_600_000 } });
    await fixture.publish(1);
    await vi.waitFor(() => expect(observer.stepFailed).toHaveBeenCalledWith("lease"), soon);
    expect(messages("error")).toContain("delivery worker step failed; retrying");
    await vi.waitFor(() => expect(worker.problem()).toBe("deliveries cannot be read or recorded"), soon);
    expect(patient.problem()).toBeNull(); // For it, a short fault is no problem yet.
    const seconds = (performance.now() - startedAt) / 1000;
    // 100, 200, 400 … ms apart; without backoff there would be thousands of failures.
    expect(observer.stepFailed.mock.calls.length).toBeLessThan(10 + seconds);

    isBroken = false;
    await attemptsReach(fixture, 1);
    await vi.waitFor(() => expect(worker.problem()).toBeNull(), soon);
  });

  test("in lease recovery is logged and counted", async () => {
    const pool = fixture.pool;
    const query = async (statement: { name?: string }) => {
      if (statement.name === "read-all-leases") throw new Error("no permission");
      return pool.query(statement as never);
    };
    const db = { query } as unknown as typeof pool;
    await fixture.startWorker({ observer, log, db, intervals: { sweepMs: 50 } });
    await vi.waitFor(() => expect(observer.stepFailed).toHaveBeenCalledWith("sweep"), soon);
    expect(messages("error")).toContain("delivery worker step failed; retrying");
  });
});
