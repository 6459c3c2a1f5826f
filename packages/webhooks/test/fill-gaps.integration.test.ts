/** The job that fills gaps with more events than deliveries may be pending. */
import { expect, test, vi } from "vitest";
import { fillGapInBatches, fillGaps, finishGap, limitPendingDeliveries } from "../src/index.ts";
import {
  leadCreated,
  readSubscription,
  respondingWith,
  soon,
  subscriptionBecomes,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture(respondingWith(200));

const maxPending = 20;
const log = { info() {}, warn() {}, error() {} };
const record = "01928c60-11f2-7b8e-a3c4-5d6e7f809102";
const ordered = { ordering: "record" } as const;

const run = () => fillGaps({ records: fixture.db, publisher: fixture.publisher, maxPending, log });
const limit = () => limitPendingDeliveries({ db: fixture.pool, maxPending, notices: false, log });
const pendingOf = (subscriptionId: string) => fixture.db.delivery.count({ where: { subscriptionId } });
const becomesSent = (id: string) => vi.waitFor(async () => expect(await pendingOf(id)).toBe(0), soon);

/** Publishes versions of one record. */
async function publish(versions: number): Promise<void> {
  for (let version = 1; version <= versions; version += 1) {
    await fixture.publisher.change(fixture.organizationId, async ({ publish: add }) => {
      add(leadCreated(null, { id: record, score: version }));
    });
  }
}

/** Resumes a subscription with its gap, as the API does. @returns number of deliveries created */
async function resume(id: string): Promise<number> {
  const { db, organizationId, publisher } = fixture;
  const filled = await fillGapInBatches({ db, maxPending, mayFill: () => true }, organizationId, id);
  return publisher.change(
    organizationId,
    async (change) => {
      const subscription = await change.tx.subscription.findUniqueOrThrow({ where: { id } });
      const rest = await finishGap(change, subscription, filled);
      await change.tx.subscription.update({ where: { id }, data: { status: "active", failedAt: null } });
      change.notifyPending(id);
      return filled.deliveries + rest;
    },
    { exclusive: true },
  );
}

const receivedEvents = () => receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
async function storedEvents(): Promise<string[]> {
  return (await fixture.db.event.findMany({ orderBy: { sequence: "asc" } })).map(({ id }) => id);
}

test("continues until the gap is filled, in order, with the events that were published in the meantime", async () => {
  const { id } = await fixture.subscribe(receiver.url, ordered);
  await publish(38);
  await limit();
  expect(await resume(id)).toBe(10);
  await publish(2);
  await run(); // No delivery was sent yet.
  expect(await pendingOf(id)).toBe(10);
  await fixture.startWorker();
  for (let part = 1; part <= 4; part += 1) {
    await becomesSent(id);
    await subscriptionBecomes(fixture, id, { failureReason: null });
    await limit();
    await run();
  }
  await becomesSent(id);
  expect(await readSubscription(fixture, id)).toMatchObject({
    status: "active",
    gapFrom: null,
    fillingGap: false,
  });
  expect(receivedEvents()).toEqual(await storedEvents());
});

test("keeps changes of a record in order whose times are in another order", async () => {
  const { id } = await fixture.subscribe(receiver.url, ordered);
  await publish(21);
  const events = await storedEvents();
  await limit();
  // The first 10 events by their times are filled first. The last of them is a later change than the next event.
  const begin = Date.now() - 10_000;
  const times = events.map((_, index) => begin + index);
  [times[9], times[10]] = [times[10] as number, times[9] as number];
  for (const [index, eventId] of events.entries()) {
    const createdAt = new Date(times[index] as number);
    await fixture.db.event.update({ where: { id: eventId }, data: { createdAt } });
  }
  await fixture.db.subscription.update({ where: { id }, data: { gapFrom: new Date(begin) } });
  expect(await resume(id)).toBe(11);
  await fixture.startWorker();
  await becomesSent(id);
  await run();
  await becomesSent(id);
  expect(receivedEvents()).toEqual(events);
});

test("fills a hundredth of the limit while other subscriptions have many pending deliveries", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  await publish(21);
  await limit();
  const other = await fixture.subscribe(`${receiver.url}other`);
  await publish(15);
  expect(await resume(id)).toBeLessThanOrEqual(5);
  expect(await pendingOf(id)).toBeGreaterThan(0);
  await limit();
  expect(await readSubscription(fixture, other.id)).toMatchObject({ status: "active" });
});

test("fills the gap of a subscription in order with many attempts since its beginning", async () => {
  const { id } = await fixture.subscribe(receiver.url, ordered);
  const { db, organizationId } = fixture;
  await db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, record_id, created_at)
    SELECT uuidv7(), ${organizationId}::uuid, 'lead.created', '{}', records.id, now() - interval '50 seconds' + i * interval '1 ms'
    FROM (SELECT uuidv7() AS id FROM generate_series(1, 300)) records, generate_series(1, 10) i`;
  await db.$executeRaw`
    INSERT INTO delivery_attempts (delivery_id, attempt, subscription_id, organization_id, event_id, event_type, outcome, duration_ms, attempted_at)
    SELECT uuidv7(), 1, ${id}::uuid, ${organizationId}::uuid, uuidv7(), 'lead.created', 'delivered', 1, now()
    FROM generate_series(1, 60000)`;
  await db.$executeRaw`UPDATE subscription_routes SET since = now() - interval '1 hour'`;
  await db.subscription.update({ where: { id }, data: { gapFrom: new Date(), status: "failed" } });
  const options = { db, maxPending: 0, mayFill: () => true };
  expect(await fillGapInBatches(options, organizationId, id)).toMatchObject({ deliveries: 3_000 });
});

test("stops when the time is over, and fills the rest later", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  await publish(21);
  await limit();
  const { db, organizationId } = fixture;
  const options = { db, maxPending, mayFill: () => true, withinMs: 0 };
  expect(await fillGapInBatches(options, organizationId, id)).toEqual({ deliveries: 0, rest: null });
});

test("continues from the beginning of the gap if the limit has extended it", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  await publish(21);
  await limit();
  expect(await resume(id)).toBe(10);
  const other = await fixture.subscribe(`${receiver.url}other`);
  await fixture.db.subscription.update({ where: { id }, data: { failureCount: 1 } });
  await publish(11);
  await limit(); // Removes the 10 deliveries.
  expect(await readSubscription(fixture, id)).toMatchObject({ status: "failed" });
  await fixture.db.subscription.delete({ where: { id: other.id } });
  await resume(id);
  await fixture.startWorker();
  for (let part = 1; part <= 4; part += 1) {
    await becomesSent(id);
    await run();
  }
  await becomesSent(id);
  expect(receivedEvents().toSorted()).toEqual((await storedEvents()).toSorted());
});

test("reports a subscription that cannot be filled, and continues with the next", async () => {
  const broken = await fixture.subscribe(receiver.url);
  const { id } = await fixture.subscribe(receiver.url);
  const gap = { gapFrom: new Date(), fillingGap: true };
  await fixture.db.subscription.updateMany({ data: gap });
  await publish(1);
  const error = vi.fn<(context: object, text: string) => void>();
  let changes = 0;
  const publisher: typeof fixture.publisher = {
    change(...change) {
      changes += 1;
      return changes === 1 ? Promise.reject(new Error("no connection")) : fixture.publisher.change(...change);
    },
  };
  await expect(
    fillGaps({ records: fixture.db, publisher, maxPending, log: { ...log, error } }),
  ).rejects.toThrow("the gaps of 1 of 2 subscriptions could not be filled");
  expect(error.mock.calls).toEqual([
    [
      { err: new Error("no connection"), subscription: broken.id },
      "filling the gap failed; retrying in a minute",
    ],
  ]);
  expect(await readSubscription(fixture, id)).toMatchObject({ fillingGap: false });
});
