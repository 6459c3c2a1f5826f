import { connect, type Transaction } from "@parley/database";
import { beforeEach, expect, test } from "vitest";
import {
  countRedeliverable,
  type RedeliveryFilter,
  redeliverRange,
  redeliveryProgress,
  subscriptionQueues,
} from "../src/index.ts";
import { attemptsReach, leadCreated, respondingWith, useDeliveryFixture } from "../src/testing/index.ts";
import { createEvent, createPending, logAttempt } from "./log-fixture.ts";

const { fixture, receiver } = useDeliveryFixture();
let one: string;
beforeEach(async () => {
  one = (await fixture.subscribe(receiver.url)).id;
});

const now = Date.now();
const hourMs = 3_600_000;

function filterOf(filter: Partial<RedeliveryFilter> = {}): RedeliveryFilter {
  const { organizationId } = fixture;
  return { organizationId, subscriptionId: one, since: new Date(now - hourMs).toISOString(), ...filter };
}

function inChange<Result>(make: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return fixture.publisher.change(fixture.organizationId, ({ tx }) => make(tx));
}

test.each<[string, Partial<RedeliveryFilter>, number]>([
  ["exhausted ones", { status: "exhausted" }, 3],
  ["delivered ones", { status: "delivered" }, 2],
  ["all", {}, 5],
  ["a type", { eventType: "lead.updated" }, 1],
  ["until a time", { until: new Date(now - 3_000).toISOString() }, 2],
])("the preview of %s equals what is redelivered", async (_, filter, count) => {
  const outcomes = ["delivered", "exhausted", "exhausted", "exhausted", "exhausted"];
  for (const [index, outcome] of outcomes.entries()) {
    const type = index === 2 ? "lead.updated" : "lead.created";
    const eventId = await createEvent(fixture, { type });
    const row = { subscriptionId: one, eventId, eventType: type };
    await logAttempt(fixture, { ...row, at: now - (index + 1) * 1_000, outcome });
    if (index === 3) await logAttempt(fixture, { ...row, at: now - 100, test: true });
    if (index === 4) await createPending(fixture, { ...row, at: now });
  }
  const later = await createEvent(fixture);
  await logAttempt(fixture, { subscriptionId: one, eventId: later, at: now - 9_000, outcome: "exhausted" });
  await logAttempt(fixture, { subscriptionId: one, eventId: later, at: now - 500 });
  await logAttempt(fixture, { subscriptionId: one, at: now - 600, outcome: "exhausted" }); // Its event is no longer stored.

  const preview = await countRedeliverable(fixture.db, filterOf(filter));
  const created = await inChange((tx) => redeliverRange(tx, filterOf(filter), null));
  expect([preview, created.count]).toEqual([created.count, expect.any(Number)]);
  expect(created.count).toBe(count);
});

test("the preview is null if counting takes longer than its timeout", async () => {
  const blocker = await connect(fixture.databaseUrl);
  await blocker.query("BEGIN; LOCK TABLE delivery_attempts");
  try {
    expect(await countRedeliverable(fixture.db, filterOf(), 100)).toBeNull();
  } finally {
    await blocker.end();
  }
  expect(await countRedeliverable(fixture.db, filterOf())).toBe(0);
});

test("the progress counts pending deliveries of the redelivery only", async () => {
  const { organizationId, db } = fixture;
  const filter = { organizationId, subscriptionId: one };
  for (let i = 0; i < 3; i += 1) {
    await logAttempt(fixture, {
      subscriptionId: one,
      eventId: await createEvent(fixture),
      at: now - i,
      outcome: "exhausted",
    });
  }
  const { count, first, last } = await inChange((tx) => redeliverRange(tx, filterOf(), null));
  expect(count).toBe(3);
  const range = { first: first ?? "", last: last ?? "" };
  await fixture.publisher.change(organizationId, async ({ publish }) => publish(leadCreated(null)));
  await createPending(fixture, { subscriptionId: one, at: now + hourMs, redelivery: true });
  expect(await redeliveryProgress(db, filter, range)).toBe(3);
  await db.delivery.delete({ where: { id: range.first } });
  expect(await redeliveryProgress(db, filter, range)).toBe(2);
  const other = await db.organization.create({ data: { name: "Other", plan: "pro" } });
  expect(await redeliveryProgress(db, { ...filter, organizationId: other.id }, range)).toBe(0);
});

test("redelivering nothing has no first delivery", async () => {
  expect(await inChange((tx) => redeliverRange(tx, filterOf(), null))).toEqual({
    count: 0,
    first: null,
    last: null,
  });
});

test("the queues of subscriptions show pending deliveries, their times and the last attempt", async () => {
  const { db, organizationId } = fixture;
  const two = (await fixture.subscribe(receiver.url)).id;
  const other = await db.organization.create({ data: { name: "Other", plan: "pro" } });
  const foreign = (await fixture.subscribe(receiver.url, { organizationId: other.id })).id;
  const empty = {
    pending: 0,
    oldestPendingAt: null,
    nextAttemptAt: null,
    circuitOpenUntil: null,
    lastDeliveryAt: null,
    lastAttempt: null,
  };
  expect(await subscriptionQueues(db, organizationId)).toEqual([
    { subscriptionId: one, ...empty },
    { subscriptionId: two, ...empty },
  ]);

  receiver.respond = respondingWith(503);
  await fixture.publish(1);
  const worker = await fixture.startWorker();
  await attemptsReach(fixture, 2);
  await worker.stop();
  const nextAt = new Date(now + 60_000);
  await createPending(fixture, { subscriptionId: one, at: now - hourMs, nextAt });
  await createPending(fixture, { subscriptionId: foreign, organizationId: other.id, at: now - 2 * hourMs });
  const circuitOpenUntil = new Date(now + 90_000);
  await db.subscriptionQueue.update({ where: { subscriptionId: one }, data: { circuitOpenUntil } });
  await db.subscription.update({ where: { id: two }, data: { status: "failed" } });
  // A test is not the last attempt.
  await logAttempt(fixture, { subscriptionId: one, at: Date.now() + 1, test: true });
  const [first, second] = await subscriptionQueues(db, organizationId);
  const attempt = await db.deliveryAttempt.findFirstOrThrow({ where: { subscriptionId: one, test: false } });
  expect(first).toEqual({
    subscriptionId: one,
    pending: 2,
    oldestPendingAt: new Date(now - hourMs),
    nextAttemptAt: circuitOpenUntil,
    circuitOpenUntil,
    lastDeliveryAt: null,
    lastAttempt: {
      attemptedAt: attempt.attemptedAt,
      outcome: "failed",
      statusCode: 503,
      error: attempt.error,
      durationMs: attempt.durationMs,
    },
  });
  expect(second).toMatchObject({ subscriptionId: two, pending: 1, nextAttemptAt: null });
  await db.$executeRaw`
    INSERT INTO deliveries (organization_id, subscription_id, event_id)
    SELECT ${organizationId}::uuid, ${two}::uuid, uuidv7() FROM generate_series(1, 11000)`;
  expect((await subscriptionQueues(db, organizationId))[1]?.pending).toBe(10_000);
});
