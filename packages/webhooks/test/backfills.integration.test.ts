/** Gaps and redeliveries, whose deliveries are created piece by piece. */
import { describe, expect, test, vi } from "vitest";
import { limitPendingDeliveries, limitSkippedEvents, previewRedelivery, runBackfills } from "../src/index.ts";
import {
  attemptsReach,
  createSkippedEvents,
  leadCreated,
  readSubscription,
  respondingWith,
  soon,
  subscriptionBecomes,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture(respondingWith(200));

const log = { info() {}, warn() {}, error() {} };
const record = "01928c60-11f2-7b8e-a3c4-5d6e7f809102";
const ordered = { ordering: "record" } as const;

const pendingOf = (subscriptionId: string) => fixture.db.delivery.count({ where: { subscriptionId } });
const skippedOf = (subscriptionId: string) => fixture.db.skippedEvent.count({ where: { subscriptionId } });
const becomesSent = (id: string) => vi.waitFor(async () => expect(await pendingOf(id)).toBe(0), soon);
const fail = (id: string) => fixture.db.subscription.update({ where: { id }, data: { status: "failed" } });

/** Publishes versions of one record. */
async function publish(versions: number): Promise<void> {
  for (let version = 1; version <= versions; version += 1) {
    await fixture.publisher.change(fixture.organizationId, async ({ publish: add }) => {
      add(leadCreated(null, { id: record, score: version }));
    });
  }
}

const receivedEvents = () => receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
async function storedEvents(): Promise<string[]> {
  return (await fixture.db.event.findMany({ orderBy: { sequence: "asc" } })).map(({ id }) => id);
}

describe("a gap", () => {
  test.each([
    ["failed", { status: "failed" }],
    ["disabled", { enabled: false }],
  ])(
    "has the events of the time in which the subscription was %s, and is filled in order",
    async (_why, stopped) => {
      const { id } = await fixture.subscribe(receiver.url, ordered);
      await fixture.startWorker();
      await publish(1);
      await becomesSent(id);
      await fixture.db.subscription.update({ where: { id }, data: stopped });
      expect((await readSubscription(fixture, id)).gapFrom).not.toBeNull();
      await publish(3);
      expect([await pendingOf(id), await skippedOf(id)]).toEqual([0, 3]);
      expect(await fixture.resume(id, true)).toBe(3);
      await publish(2); // They join the gap.
      expect([await pendingOf(id), await skippedOf(id)]).toEqual([0, 5]);
      await fixture.backfill();
      expect(await readSubscription(fixture, id)).toMatchObject({
        enabled: true,
        gapFrom: null,
        fillingGap: false,
      });
      await publish(1);
      await becomesSent(id);
      expect(receivedEvents()).toEqual(await storedEvents());
    },
  );

  test("is kept when the subscription is resumed without it, until a delivery succeeds; then its events are removed", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    await fail(id);
    await publish(2);
    await fixture.resume(id, false);
    await limitSkippedEvents({ db: fixture.pool, maxPending: 0, log });
    expect(await skippedOf(id)).toBe(2);
    await publish(1);
    await fixture.startWorker();
    await subscriptionBecomes(fixture, id, { gapFrom: null });
    expect(await fixture.resume(id, true)).toBe(0);
    await limitSkippedEvents({ db: fixture.pool, maxPending: 0, log });
    expect(await skippedOf(id)).toBe(0);
    expect(receivedEvents()).toHaveLength(1);
  });

  test("delivers events that matched when they happened and match now", async () => {
    const { id } = await fixture.subscribe(receiver.url, { eventTypes: ["lead.created"] });
    await fail(id);
    await publish(2);
    await fixture.db.subscription.update({ where: { id }, data: { eventTypes: ["lead.updated"] } });
    await publish(1);
    expect(await fixture.resume(id, true)).toBe(2);
    await fixture.backfill();
    expect(await pendingOf(id)).toBe(0);
    expect(await readSubscription(fixture, id)).toMatchObject({ gapFrom: null, fillingGap: false });
  });

  test("misses no event of a change that read the failed subscription and commits after the filling has begun", async () => {
    const { id } = await fixture.subscribe(receiver.url, ordered);
    await fail(id);
    const read = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const changing = fixture.db.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT pg_advisory_xact_lock_shared(20240101, hashtext(${fixture.organizationId}))::text`;
        await tx.$executeRaw`
          INSERT INTO skipped_events (subscription_id, gap_from, sequence, event_id)
          SELECT id, gap_from, 1, uuidv7() FROM subscriptions WHERE id = ${id}::uuid`;
        read.resolve();
        await commit.promise;
      },
      { timeout: 60_000 },
    );
    await read.promise;
    await fixture.resume(id, true);
    await fixture.backfill(); // The last piece does not wait for the change.
    expect(await readSubscription(fixture, id)).toMatchObject({ fillingGap: true });
    commit.resolve();
    await changing;
    expect(await skippedOf(id)).toBe(1);
    await fixture.backfill();
    expect(await skippedOf(id)).toBe(0);
    expect(await readSubscription(fixture, id)).toMatchObject({ gapFrom: null, fillingGap: false });
  });

  test.each([
    ["in any order", {}],
    ["in order, with an edited filter", ordered],
  ])(
    "of 20,000 events is filled in short pieces while others change records, %s",
    async (_order, options) => {
      const { id } = await fixture.subscribe("https://hooks.example.com/", options);
      await fail(id);
      await createSkippedEvents(fixture.db, id, 20_000);
      await fixture.db.subscription.update({
        where: { id },
        data: { conditionsPath: "$.data.attributes.score > 0" },
      });
      await fixture.resume(id, true);
      let longestMs = 0;
      const publisher: typeof fixture.publisher = {
        async change(...change) {
          const start = performance.now();
          try {
            return await fixture.publisher.change(...change);
          } finally {
            longestMs = Math.max(longestMs, performance.now() - start);
          }
        },
      };
      const options_ = { records: fixture.db, publisher, maxPending: 0, log };
      await runBackfills(options_);
      expect(await pendingOf(id)).toBe(10_000); // Enough until some are sent.
      await fixture.db.delivery.deleteMany();
      await publish(3);
      await runBackfills(options_);
      await fixture.db.delivery.deleteMany();
      await runBackfills(options_);
      expect(await pendingOf(id)).toBe(3);
      expect(await readSubscription(fixture, id)).toMatchObject({ gapFrom: null, fillingGap: false });
      expect(longestMs).toBeLessThan(20_000); // Far above what a busy machine takes; the pieces have 1,000 events.
    },
  );

  test("beyond the limit of pending deliveries is filled as they are sent", async () => {
    const maxPending = 1_000; // The subscription gets 5 at a time.
    const { id } = await fixture.subscribe(receiver.url, ordered);
    await fail(id);
    await publish(12);
    await fixture.resume(id, true);
    await fixture.backfill(maxPending);
    expect(await pendingOf(id)).toBe(5);
    await fixture.backfill(maxPending);
    expect(await pendingOf(id)).toBe(5);
    await fixture.startWorker();
    for (let part = 1; part <= 3; part += 1) {
      await becomesSent(id);
      await fixture.backfill(maxPending);
    }
    await becomesSent(id);
    expect(receivedEvents()).toEqual(await storedEvents());
  });

  test("of a subscription that fails again goes on when it is resumed", async () => {
    const { id } = await fixture.subscribe(receiver.url, ordered);
    await fail(id);
    await publish(12);
    await fixture.resume(id, true);
    await fixture.backfill(1_000);
    await fail(id);
    await limitPendingDeliveries({ db: fixture.pool, maxPending: 4, notices: false, log });
    await fixture.backfill(1_000);
    expect([await pendingOf(id), await skippedOf(id)]).toEqual([0, 12]);
    await fixture.resume(id, true);
    await fixture.backfill();
    await fixture.startWorker();
    await becomesSent(id);
    expect(receivedEvents()).toEqual(await storedEvents());
  });
});

describe("skipped events are removed, and the gap is incomplete,", () => {
  const run = (maxPending = 0) => limitSkippedEvents({ db: fixture.pool, maxPending, log });
  async function gap(events: number): Promise<string> {
    const { id } = await fixture.subscribe(receiver.url);
    await fail(id);
    await publish(events);
    return id;
  }
  async function isComplete(id: string): Promise<boolean> {
    const { gapFrom, gapBrokenAt } = await readSubscription(fixture, id);
    return gapFrom !== null && (gapBrokenAt === null || gapBrokenAt < gapFrom);
  }

  test("after seven days", async () => {
    const id = await gap(3);
    await run();
    expect([await skippedOf(id), await isComplete(id)]).toEqual([3, true]);
    await fixture.db.$executeRaw`
      UPDATE skipped_events SET event_id = uuidv7(interval '-8 days') WHERE sequence < (SELECT max(sequence) FROM skipped_events)`;
    await run();
    expect([await skippedOf(id), await isComplete(id)]).toEqual([1, false]);
  });

  test("when their events are no longer stored", async () => {
    const id = await gap(2);
    await fixture.db.organization.updateMany({
      data: { eventsRemovedBefore: new Date(Date.now() + 60_000) },
    });
    await run();
    expect([await skippedOf(id), await isComplete(id)]).toEqual([0, false]);
  });

  test("beyond the limit of their organization: the oldest of the subscription with the most", async () => {
    const id = await gap(5);
    const other = await gap(3);
    await run(11);
    expect([await skippedOf(id), await skippedOf(other)]).toEqual([8, 3]);
    await run(7);
    expect([await skippedOf(id), await skippedOf(other)]).toEqual([4, 3]);
    expect([await isComplete(id), await isComplete(other)]).toEqual([false, true]);
    await fixture.resume(id, true);
    await fixture.backfill();
    const pending = await fixture.db.delivery.findMany({
      where: { subscriptionId: id },
      orderBy: { id: "asc" },
    });
    expect(pending.map(({ eventId }) => eventId)).toEqual((await storedEvents()).slice(-4));
  });

  test("with their subscription", async () => {
    const id = await gap(2);
    await fixture.db.subscription.delete({ where: { id } });
    await run();
    expect(await skippedOf(id)).toBe(0);
  });
});

describe("a redelivery", () => {
  test("of more attempts than one piece examines creates each delivery once, and is previewed", async () => {
    const { id: subscriptionId } = await fixture.subscribe("https://hooks.example.com/");
    const { organizationId, db } = fixture;
    await db.$executeRaw`
      WITH event AS (
        INSERT INTO events (id, organization_id, type, body, created_at)
        SELECT uuidv7(), ${organizationId}::uuid, 'lead.created', '{}', now() FROM generate_series(1, 3000) RETURNING id)
      INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id, event_type, outcome, duration_ms)
      SELECT uuidv7(), attempt, now() - (4 - attempt) * interval '1 minute', ${organizationId}::uuid, ${subscriptionId}::uuid, event.id, 'lead.created',
             CASE attempt WHEN 1 THEN 'failed' ELSE 'delivered' END, 1
      FROM event, generate_series(1, 3) AS attempt`;
    const range = {
      organizationId,
      subscriptionId,
      status: "delivered",
      eventType: null,
      since: new Date(0),
      until: new Date(),
    };
    expect(await previewRedelivery(db, range)).toEqual({ deliveries: 3_000, hasMore: false });
    expect(await fixture.redeliverAll(subscriptionId)).toBe(3_000);
    expect(await pendingOf(subscriptionId)).toBe(3_000);
    expect(await previewRedelivery(db, range)).toEqual({ deliveries: 0, hasMore: false });
  });

  test("waits while the subscription is failed, and goes on when it is resumed", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.startWorker();
    await publish(2);
    await becomesSent(id);
    await fail(id);
    expect(await fixture.redeliverAll(id)).toBe(0);
    await fixture.resume(id, false);
    await fixture.backfill();
    await attemptsReach(fixture, 4);
    expect(await fixture.db.redelivery.findMany()).toMatchObject([
      { deliveries: 2, finishedAt: expect.any(Date) },
    ]);
  });
});

test("a failure pauses one subscription for a minute, and others go on", async () => {
  const [broken, id] = [
    (await fixture.subscribe(receiver.url)).id,
    (await fixture.subscribe(receiver.url)).id,
  ];
  await fixture.db.subscription.updateMany({ data: { fillingGap: true } });
  const error = vi.fn<(context: object, text: string) => void>();
  let fails = true;
  const publisher: typeof fixture.publisher = {
    async change(organizationId, make, options) {
      return fixture.publisher.change(
        organizationId,
        async (change) => {
          const result = await make(change);
          const mine = await change.tx.$queryRaw<object[]>`
            SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND classid = 20240103
              AND objid = (hashtext(${broken})::bigint & 4294967295)::oid`;
          if (fails && mine.length > 0) throw new Error("broken");
          return result;
        },
        options,
      );
    },
  };
  const pauses = new Map<string, number>();
  const backfill = () =>
    runBackfills({ records: fixture.db, publisher, maxPending: 0, log: { ...log, error } }, pauses);
  await backfill();
  fails = false;
  await backfill();
  expect(await readSubscription(fixture, broken)).toMatchObject({ fillingGap: true });
  expect(await readSubscription(fixture, id)).toMatchObject({ fillingGap: false });
  expect(error.mock.calls).toEqual([
    [{ err: new Error("broken"), subscription: broken }, "creating deliveries failed; retrying in a minute"],
  ]);
  pauses.clear();
  await backfill();
  expect(await readSubscription(fixture, broken)).toMatchObject({ fillingGap: false });
});

test("a subscription that fails while the last piece of its gap is filled keeps the gap", async () => {
  const { id } = await fixture.subscribe("https://hooks.example.com/");
  await fixture.db.subscription.update({ where: { id }, data: { status: "failed" } });
  await fixture.publish(3);
  await fixture.resume(id, true);
  const { gapFrom } = await readSubscription(fixture, id);
  const failing = await fixture.pool.connect();
  await failing.query("BEGIN");
  await failing.query("UPDATE subscriptions SET status = 'failed' WHERE id = $1", [id]);
  const filling = fixture.backfill();
  const waits = vi.waitFor(async () => {
    const { rowCount } = await fixture.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(rowCount).toBe(1);
  });
  await Promise.race([waits, filling]); // Filling waits only briefly.
  await failing.query("COMMIT");
  failing.release();
  await filling;
  expect(await readSubscription(fixture, id)).toMatchObject({ status: "failed", fillingGap: true, gapFrom });
});
