import { connect } from "@parley/database";
import { describe, expect, test, vi } from "vitest";
import { deliveryStatistics, maintainDeliveryLog } from "../src/index.ts";
import {
  advanceClock,
  holding,
  leadCreated,
  respondingWith,
  soon,
  useDeliveryFixture,
} from "../src/testing/index.ts";
import type { Lease } from "../src/worker/leases.ts";
import { type AttemptRecord, recordResults } from "../src/worker/results.ts";

const { fixture, receiver } = useDeliveryFixture();

const hourMs = 3_600_000;

/** Returns the statistics of the last and the next day. */
function statistics(organizationId = fixture.organizationId, subscriptionId?: string) {
  const from = new Date(Date.now() - 24 * hourMs);
  const until = new Date(Date.now() + 24 * hourMs);
  return deliveryStatistics(fixture.db, organizationId, { from, until, subscriptionId });
}

/** Returns the counts of a subscription's attempts in the log, without tests. */
async function loggedCounts(subscriptionId: string) {
  const [row] = await fixture.db.$queryRaw<object[]>`
    SELECT count(*) FILTER (WHERE outcome = 'delivered')::int AS delivered, count(*) FILTER (WHERE outcome = 'failed')::int AS failed,
           count(*) FILTER (WHERE outcome = 'exhausted')::int AS exhausted
    FROM delivery_attempts WHERE subscription_id = ${subscriptionId}::uuid AND NOT test`;
  return row;
}

async function countsOf(subscriptionId: string) {
  const { subscriptions } = await statistics();
  const hours = subscriptions.find((one) => one.subscriptionId === subscriptionId)?.hours ?? [];
  const sum = (key: "delivered" | "failed" | "exhausted") =>
    hours.reduce((total, hour) => total + hour[key], 0);
  return { delivered: sum("delivered"), failed: sum("failed"), exhausted: sum("exhausted") };
}

/** Waits until no delivery is pending. */
async function nothingIsPending(): Promise<void> {
  await vi.waitFor(async () => expect(await fixture.db.delivery.count()).toBe(0), soon);
}

describe("the counts equal the log", () => {
  test("with concurrent workers, failures and exhausted deliveries", async () => {
    // Two deliveries fail always, and the others succeed.
    receiver.respond = (response, { body }) =>
      response.writeHead(/"score":[37],/.test(body) ? 422 : 200).end();
    const subscribed = Array.from({ length: 4 }, () => fixture.subscribe(receiver.url));
    const ids = (await Promise.all(subscribed)).map(({ id }) => id);
    const circuitPolicy = { backoffMs: [0, 1], jitter: 0, maxFailures: 1_000, maxRetryAfterMs: 0 };
    for (let i = 0; i < 3; i += 1) await fixture.startWorker({ circuitPolicy, maxAttempts: 2 });
    const { publisher, organizationId } = fixture;
    const publishScore = (score: number) =>
      publisher.change(organizationId, async ({ publish }) => publish(leadCreated(null, { score })));
    for (let score = 0; score < 20; score += 1) await publishScore(score);
    // A delivery is exhausted only while others succeed.
    await vi.waitFor(
      async () => {
        await publishScore(20);
        expect(await fixture.db.deliveryAttempt.count({ where: { outcome: "exhausted" } })).toBe(8);
      },
      { ...soon, interval: 100 },
    );
    await nothingIsPending();
    for (const id of ids) {
      const counts = await countsOf(id);
      expect(counts).toEqual(await loggedCounts(id));
      expect(counts.exhausted).toBe(2);
      expect(counts.failed).toBeGreaterThanOrEqual(2);
    }
  });

  test("after a worker lost a lease", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    const held = holding();
    receiver.respond = held.respond;
    await fixture.publish(20);
    await fixture.startWorker({ intervals: { sweepMs: 200 } });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(8), soon);
    const other = await connect(fixture.databaseUrl); // Its lock makes the lease valid until it ends.
    await other.query("SELECT pg_advisory_lock(42)");
    await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: 42n } });
    held.release((response) => response.end());
    await other.end();
    await nothingIsPending();
    expect(receiver.received.length).toBeGreaterThan(20);
    expect(await countsOf(id)).toEqual({ delivered: 20, failed: 0, exhausted: 0 });
  });
});

describe("recording a batch", () => {
  /** Creates pending deliveries of a subscription that the worker 7 leases, and returns their results. */
  async function createResults(
    count: number,
    values: (index: number) => Partial<AttemptRecord>,
  ): Promise<{ id: string; results: AttemptRecord[] }> {
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.publish(1);
    await fixture.db.$executeRaw`
      INSERT INTO deliveries (organization_id, subscription_id, event_id)
      SELECT organization_id, subscription_id, event_id FROM deliveries, generate_series(2, ${count}::int) WHERE subscription_id = ${id}::uuid`;
    await lease(id, 7n);
    const rows = await fixture.db.delivery.findMany({
      where: { subscriptionId: id },
      orderBy: { id: "asc" },
    });
    const results = rows.map((row, index) => ({
      delivery: {
        ...row,
        eventType: "lead.created",
        body: "",
        bytes: 0,
        nextAt: "",
        recordKey: null,
        traceparent: null,
      },
      lease: { subscriptionId: id } as Lease,
      outcome: "delivered" as const,
      attemptedAt: Date.now(),
      durationMs: 5,
      statusCode: 200,
      error: null,
      responseBody: null,
      version: undefined,
      exchange: undefined,
      nextAt: Date.now(),
      ...values(index),
    }));
    return { id, results };
  }

  function lease(id: string, worker: bigint) {
    return fixture.db.subscriptionQueue.update({
      where: { subscriptionId: id },
      data: { leaseWorker: worker },
    });
  }

  const record = (results: AttemptRecord[], worker = "7") => recordResults(fixture.pool, worker, results, []);

  test("again changes nothing", async () => {
    const { id, results } = await createResults(10, () => ({}));
    await record(results);
    await record(results);
    expect(await countsOf(id)).toEqual({ delivered: 10, failed: 0, exhausted: 0 });
  });

  test("of which a part is recorded adds only the other part", async () => {
    const { id, results } = await createResults(10, () => ({}));
    await record(results.slice(0, 4));
    await record(results);
    expect(await countsOf(id)).toEqual({ delivered: 10, failed: 0, exhausted: 0 });
  });

  test("twice at the same time counts it once", async () => {
    const { id, results } = await createResults(100, () => ({}));
    await Promise.allSettled([record(results), record(results), record(results)]);
    expect(await countsOf(id)).toEqual(await loggedCounts(id));
    expect(await countsOf(id)).toEqual({ delivered: 100, failed: 0, exhausted: 0 });
  });

  test("of another worker counts nothing", async () => {
    const { id, results } = await createResults(3, () => ({}));
    await record(results, "8");
    expect(await countsOf(id)).toEqual({ delivered: 0, failed: 0, exhausted: 0 });
  });

  test("across the start of an hour counts each attempt in its hour", async () => {
    const hour = Math.floor(Date.now() / hourMs) * hourMs;
    const outcomes = ["delivered", "failed", "exhausted", "delivered"] as const;
    const { id, results } = await createResults(4, (index) => ({
      outcome: outcomes[index] ?? "delivered",
      attemptedAt: hour + (index < 2 ? -1 : 0),
    }));
    await record(results);
    const { subscriptions } = await statistics();
    expect(subscriptions).toMatchObject([
      {
        subscriptionId: id,
        hours: [
          { hour: new Date(hour - hourMs), delivered: 1, failed: 1, exhausted: 0 },
          { hour: new Date(hour), delivered: 1, failed: 0, exhausted: 1 },
        ],
      },
    ]);
  });

  test.each([
    ["of equal durations", () => 100, 100, 100],
    ["of evenly distributed durations", (index: number) => 5 + 5 * index, 500, 950],
    ["of which one in ten is slow", (index: number) => (index % 10 === 0 ? 9_000 : 20), 20, 9_000],
  ])("estimates the percentiles %s", async (_, durationOf, p50, p95) => {
    const { id, results } = await createResults(200, (index) => ({ durationMs: durationOf(index) }));
    for (let from = 0; from < results.length; from += 100) await record(results.slice(from, from + 100));
    const all = await statistics();
    expect(all.subscriptions[0]).toMatchObject({ subscriptionId: id, p50: all.p50, p95: all.p95 });
    for (const [estimate, exact] of [
      [all.p50, p50],
      [all.p95, p95],
    ] as const) {
      // The bounds of a bucket differ by a factor of 2 at most.
      expect(estimate).toBeGreaterThanOrEqual(exact / 2);
      expect(estimate).toBeLessThanOrEqual(exact * 2);
    }
  });

  test("without responses has no percentiles", async () => {
    const { results } = await createResults(3, () => ({
      outcome: "failed",
      statusCode: null,
      durationMs: 900,
    }));
    await record(results);
    expect(await statistics()).toMatchObject({
      p50: null,
      p95: null,
      subscriptions: [{ p50: null, p95: null }],
    });
  });
});

test("tests are not counted", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  const { organizationId } = fixture;
  await fixture.db.deliveryAttempt.create({
    data: {
      ...{
        organizationId,
        subscriptionId: id,
        deliveryId: id,
        eventId: id,
        eventType: "lead.created",
        attempt: 1,
      },
      ...{ attemptedAt: new Date(), outcome: "delivered", durationMs: 5, statusCode: 200, test: true },
    },
  });
  await fixture.startWorker();
  await fixture.publish(1);
  await nothingIsPending();
  expect(await countsOf(id)).toEqual({ delivered: 1, failed: 0, exhausted: 0 });
});

test("retries are counted in the hour of their attempt", async () => {
  receiver.respond = respondingWith(503);
  const { id } = await fixture.subscribe(receiver.url);
  await fixture.startWorker();
  await fixture.publish(1);
  await vi.waitFor(async () => expect((await countsOf(id)).failed).toBe(1), soon);
  receiver.respond = respondingWith(200);
  await advanceClock(fixture, 2 * hourMs);
  await nothingIsPending();
  const { subscriptions } = await statistics();
  expect(subscriptions[0]?.hours).toMatchObject([
    { delivered: 0, failed: 1 },
    { delivered: 1, failed: 0 },
  ]);
});

test("contains only the organization's subscriptions, and the given one", async () => {
  const other = await fixture.db.organization.create({ data: { name: "Other", plan: "pro" } });
  const [one, two] = [await fixture.subscribe(receiver.url), await fixture.subscribe(receiver.url)];
  const foreign = await fixture.subscribe(receiver.url, { organizationId: other.id });
  await fixture.startWorker();
  await fixture.publish(2);
  await fixture.publisher.change(other.id, async ({ publish }) => publish(leadCreated(null)));
  await nothingIsPending();
  const idsOf = async (...args: Parameters<typeof statistics>) =>
    (await statistics(...args)).subscriptions.map(({ subscriptionId }) => subscriptionId);
  expect(await idsOf()).toEqual([one.id, two.id]);
  expect(await idsOf(other.id)).toEqual([foreign.id]);
  expect(await idsOf(fixture.organizationId, two.id)).toEqual([two.id]);
  expect(await idsOf(fixture.organizationId, foreign.id)).toEqual([]);
  expect(await idsOf(fixture.organizationId, "none")).toEqual([]);
});

test("counts are removed with the log", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  await fixture.db.$executeRaw`
    INSERT INTO delivery_counts (subscription_id, organization_id, hour, delivered, failed, exhausted)
    SELECT ${id}::uuid, ${fixture.organizationId}::uuid, (current_date + hour * interval '1 hour') AT TIME ZONE 'UTC', 1, 0, 0
    FROM generate_series(-2400, 23) AS hour`;
  await maintainDeliveryLog(fixture.pool, 30);
  const [row] = await fixture.db.$queryRaw<object[]>`
    SELECT count(*)::int AS count, min(hour) = current_date - 30 AS "isFirst" FROM delivery_counts`;
  expect(row).toEqual({ count: 31 * 24, isFirst: true });
});
