/** Subscriptions with `ordering: record` receive the events of each record in order. */
import { randomUUID } from "node:crypto";
import { eventTypes } from "@parley/contract";
import { expect, test, vi } from "vitest";
import { type DeliveryWorker, type NewEvent, redeliverEvent, sampleEvent } from "../src/index.ts";
import {
  advanceClock,
  attemptsReach,
  countingQueries,
  holding,
  leadCreated,
  respondingWith,
  soon,
  subscriptionBecomes,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();

const ordered = { ordering: "record" } as const;

interface Version {
  record: string;
  version: number;
}

/** Publishes versions of records, in turn. */
async function publish(records: string[], versions: number, first = 1): Promise<void> {
  const { publisher, organizationId } = fixture;
  for (let version = first; version < first + versions; version += 1) {
    for (let from = 0; from < records.length; from += 16) {
      const some = records.slice(from, from + 16);
      await publisher.change(organizationId, async ({ publish: add }) => {
        for (const id of some) add(leadCreated(null, { id, score: version }));
      });
    }
  }
}

function versionOf(body: string): Version {
  const { id, attributes } = (JSON.parse(body) as { data: { id: string; attributes: { score: number } } })
    .data;
  return { record: id, version: attributes.score };
}

const received = () => receiver.received.map(({ body }) => versionOf(body));
const versionsOf = (record: string) =>
  received().flatMap((one) => (one.record === record ? [one.version] : []));

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

test("the record of messages and feedback is their conversation; of other events it is the record in the event", async () => {
  for (const type of eventTypes) {
    const event = sampleEvent(type);
    const { id, attributes } = event.data as { id: string; attributes: { conversation_id?: string } };
    const inConversation = type === "conversation.message_received" || type.startsWith("message.");
    await fixture.publisher.change(fixture.organizationId, async ({ publish: add }) =>
      add({ type, chatbotId: null, data: event.data } as NewEvent),
    );
    const { recordId } = await fixture.db.event.findFirstOrThrow({ where: { type } });
    expect([type, recordId]).toEqual([type, inConversation ? attributes.conversation_id : id]);
  }
});

test("the next delivery of a record waits for the previous one, and records do not wait for each other", async () => {
  const held = holding();
  receiver.respond = held.respond;
  await fixture.subscribe(receiver.url, ordered);
  const records = ids(5);
  await publish(records, 6);
  await fixture.startWorker();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(5), soon);
  await publish(records, 1, 7);
  expect(received().map(({ version }) => version)).toEqual([1, 1, 1, 1, 1]);
  held.release(respondingWith(200));
  await attemptsReach(fixture, 35);
  for (const record of records) expect(versionsOf(record)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("a delivery that fails holds back its record until it is delivered or exhausted", async () => {
  await fixture.subscribe(receiver.url, ordered);
  const [bad = "", good = ""] = ids(2);
  receiver.respond = (response, { body }) => {
    const { record, version } = versionOf(body);
    response.writeHead(record === bad && version === 2 ? 422 : 200).end();
  };
  const circuitPolicy = { backoffMs: [0, 10], jitter: 0, maxFailures: 8, maxRetryAfterMs: 0 };
  await fixture.startWorker({ circuitPolicy, maxAttempts: 3 });
  await publish([bad, good], 1);
  await attemptsReach(fixture, 2);
  await publish([bad, good], 3, 2);
  await vi.waitFor(async () => expect(await fixture.db.delivery.count()).toBe(0), soon);
  expect(versionsOf(bad)).toEqual([1, 2, 2, 2, 3, 4]);
  expect(versionsOf(good)).toEqual([1, 2, 3, 4]);
  expect(await fixture.db.deliveryAttempt.count({ where: { outcome: "exhausted" } })).toBe(1);
});

test("a record whose first delivery waits for its next attempt does not keep workers busy", async () => {
  const { id } = await fixture.subscribe(receiver.url, ordered);
  const [blocked = "", other = ""] = ids(2);
  await publish([blocked], 3);
  const tomorrow = new Date(Date.now() + 86_400_000);
  const [first] = await fixture.db.delivery.findMany({ orderBy: { sequence: "asc" }, take: 1 });
  await fixture.db.delivery.update({
    where: { id: first?.id ?? "" },
    data: { nextAt: tomorrow, attempts: 1 },
  });
  const { db, count } = countingQueries(fixture.pool, "find-pending-subscriptions");
  await fixture.startWorker({ db });
  await publish([other], 1);
  await attemptsReach(fixture, 1);
  fixture.clock.ahead += 2_000; // The lease is returned.
  await subscriptionIsFree(id);
  const [leasedAt, before] = [await leasedTime(id), count()];
  await vi.waitFor(() => expect(count()).toBeGreaterThan(before + 3), soon);
  expect(await leasedTime(id)).toEqual(leasedAt);
  expect(received().map(({ record }) => record)).toEqual([other]);
});

async function leasedTime(subscriptionId: string): Promise<Date | null> {
  return (await fixture.db.subscriptionQueue.findUniqueOrThrow({ where: { subscriptionId } })).leasedAt;
}

async function subscriptionIsFree(subscriptionId: string): Promise<void> {
  await vi.waitFor(async () => {
    const { leaseWorker } = await fixture.db.subscriptionQueue.findUniqueOrThrow({
      where: { subscriptionId },
    });
    expect(leaseWorker).toBeNull();
  }, soon);
}

test("a redelivery comes after the other deliveries of its record, and says so", async () => {
  const { id: subscriptionId } = await fixture.subscribe(receiver.url, ordered);
  const [record = ""] = ids(1);
  await publish([record], 2);
  const worker = await fixture.startWorker();
  await attemptsReach(fixture, 2);
  await worker.stop();
  await publish([record], 1, 3);
  const [first] = await fixture.db.event.findMany({ orderBy: { sequence: "asc" } });
  const { organizationId } = fixture;
  const row = { organizationId, subscriptionId, eventId: first?.id } as Parameters<typeof redeliverEvent>[1];
  await fixture.publisher.change(organizationId, ({ tx }) => redeliverEvent(tx, row, "record"));
  expect(await fixture.redeliverAll(subscriptionId)).toBe(1); // The first event has a pending delivery.
  await publish([record], 1, 4);
  await fixture.startWorker();
  await attemptsReach(fixture, 6);
  expect(versionsOf(record)).toEqual([1, 2, 3, 1, 2, 4]);
  const marks = receiver.received.map(({ headers }) => headers["x-parley-redelivery"]);
  expect(marks).toEqual([undefined, undefined, undefined, "true", "true", undefined]);
  const logged = await fixture.db.deliveryAttempt.findMany({ orderBy: { attemptedAt: "asc" } });
  expect(logged.map(({ redelivery }) => redelivery)).toEqual([false, false, false, true, true, false]);
});

test("a range is redelivered in the order of its events", async () => {
  const { id: subscriptionId } = await fixture.subscribe(receiver.url, ordered);
  const [record = ""] = ids(1);
  await publish([record], 6);
  await fixture.startWorker();
  await attemptsReach(fixture, 6);
  await fixture.redeliverAll(subscriptionId);
  await attemptsReach(fixture, 12);
  expect(versionsOf(record)).toEqual([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]);
});

test("the events of a gap are delivered at their places", async () => {
  const { id } = await fixture.subscribe(receiver.url, ordered);
  const records = ids(3);
  receiver.respond = respondingWith(410);
  await publish(records, 2);
  await fixture.startWorker();
  await subscriptionBecomes(fixture, id, { status: "failed" });
  await publish(records, 3, 3);
  receiver.received.length = 0;
  receiver.respond = respondingWith(200);
  expect(await fixture.resume(id, true)).toBe(9);
  await fixture.backfill();
  await publish(records, 1, 6);
  await vi.waitFor(async () => expect(await fixture.db.delivery.count()).toBe(0), soon);
  for (const record of records) expect([...new Set(versionsOf(record))]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("32 records stay in order while receivers fail, and workers stop and lose their connections", async () => {
  const records = ids(32);
  const versions = 10;
  /** By delivery: whether one was accepted. */
  const accepted: Version[] = [];
  receiver.respond = (response, { body }) => {
    const version = versionOf(body);
    const dice = Math.random();
    if (dice < 0.02) response.socket?.resetAndDestroy();
    else if (dice < 0.04) response.writeHead(503).end();
    else if (dice < 0.05)
      return; // No response: the attempt times out.
    else
      setTimeout(
        () => {
          accepted.push(version);
          response.end("ok");
        },
        Math.random() < 0.1 ? 30 : 0,
      );
  };
  await fixture.subscribe(receiver.url, ordered);
  const circuitPolicy = { backoffMs: [0, 5], jitter: 0, maxFailures: 1_000_000, maxRetryAfterMs: 0 };
  const intervals = { sweepMs: 100 };
  const start = () =>
    fixture.startWorker({ circuitPolicy, timeoutMs: 300, maxAttempts: 1_000_000, intervals });
  const workers: DeliveryWorker[] = await Promise.all([start(), start(), start()]);
  let isOver = false;
  async function disturb(): Promise<void> {
    for (let times = 0; times < 10 && !isOver; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100 + 200 * Math.random()));
      if (Math.random() < 0.5) {
        // Like a killed worker: the session ends, and results are lost.
        await fixture.pool.query(`
          SELECT pg_terminate_backend(pid) FROM pg_locks
          WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid <> pg_backend_pid() AND random() < 0.5
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
      } else {
        await workers.shift()?.stop();
        workers.push(await start());
      }
    }
  }
  const disturbing = disturb();
  await publish(records, versions);
  await vi.waitFor(
    async () => {
      await advanceClock(fixture, 10);
      expect(await fixture.db.delivery.count()).toBe(0);
    },
    { timeout: 80_000, interval: 50 },
  );
  isOver = true;
  await disturbing;
  for (const record of records) {
    const arrived = versionsOf(record);
    // A version may arrive several times, but never after a later one.
    expect(arrived).toEqual(arrived.toSorted((a, b) => a - b));
    const complete = accepted.flatMap((one) => (one.record === record ? [one.version] : []));
    expect(new Set(complete).size).toBe(versions);
  }
});
