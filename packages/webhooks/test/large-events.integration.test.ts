/** Events with large bodies: how many of them a worker keeps, and how often it loads them. */
import { randomUUID } from "node:crypto";
import type { Pool, QueryConfig } from "pg";
import { expect, test, vi } from "vitest";
import { holding, leadCreated, respondingWith, soon, useDeliveryFixture } from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();

/** Publishes events of 250 kB about these records in turn. Their scores are 1, 2, 3 … */
async function publishLarge(count: number, records: string[]): Promise<void> {
  for (let score = 1; score <= count; score += 1) {
    await fixture.publisher.change(fixture.organizationId, async ({ publish }) => {
      const event = leadCreated(null, { id: records[score % records.length] ?? "", score });
      Object.assign(event.data.attributes, { source: "x".repeat(250_000) });
      publish(event);
    });
  }
}

/** Returns the pool, and the IDs of the events in each query for large bodies. */
function watchLoads(): { db: Pool; loads: string[][] } {
  const loads: string[][] = [];
  const query = (config: QueryConfig) => {
    if (config.name === "load-large-bodies") loads.push(config.values?.[0] as string[]);
    return fixture.pool.query(config);
  };
  return { db: { query } as unknown as Pool, loads };
}

test("a body is loaded once for all subscriptions that wait for it", async () => {
  for (let i = 0; i < 10; i += 1) await fixture.subscribe(receiver.url);
  await publishLarge(8, [randomUUID()]);
  const { db, loads } = watchLoads();
  await fixture.startWorker({ db });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(80), soon);
  expect(loads.flat()).toHaveLength(8);
});

test("a worker keeps 16 MiB of them, and each subscription gets its deliveries in order", async () => {
  const other = await fixture.startReceiver();
  for (const { url } of [receiver, other]) await fixture.subscribe(url, { ordering: "record" });
  await publishLarge(
    300,
    Array.from({ length: 100 }, () => randomUUID()),
  );
  const [first, second] = [holding(), holding()];
  Object.assign(receiver, { respond: first.respond });
  other.respond = second.respond;
  const { db, loads } = watchLoads();
  await fixture.startWorker({ db, maxInFlight: 800, maxInFlightPerSubscription: 100 });
  const most = Math.floor((16 * 1024 * 1024) / 250_000);
  await vi.waitFor(() => expect(receiver.received.length + other.received.length).toBeGreaterThan(30), soon);
  expect(loads.flat().length).toBeGreaterThan(most - 2);
  expect(loads.flat().length).toBeLessThanOrEqual(most);
  for (const { release } of [first, second]) release(respondingWith(200));
  await vi.waitFor(() => expect([receiver.received.length, other.received.length]).toEqual([300, 300]), soon);
  for (const { received } of [receiver, other]) {
    const leads = received.map(({ body }) => (JSON.parse(body) as Lead).data);
    for (const ofRecord of Map.groupBy(leads, ({ id }) => id).values()) {
      const scores = ofRecord.map(({ attributes }) => attributes.score);
      expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    }
  }
});

test("an attempt uses a slot for each 32 KiB of its body", async () => {
  const slow = holding();
  receiver.respond = slow.respond;
  await fixture.subscribe(receiver.url);
  await publishLarge(8, [randomUUID()]);
  await fixture.startWorker({ maxInFlight: 64, maxInFlightPerSubscription: 8 });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(4), soon); // 32 slots for one organization.
  await fixture.publish(1);
  const { id } = await fixture.db.event.findFirstOrThrow({ orderBy: { sequence: "desc" } });
  await vi.waitFor(
    async () => expect(await fixture.db.delivery.count({ where: { eventId: id } })).toBe(1),
    soon,
  );
  expect(receiver.received).toHaveLength(4);
  slow.release(respondingWith(200));
  await vi.waitFor(() => expect(receiver.received).toHaveLength(9), soon);
});

interface Lead {
  data: { id: string; attributes: { score: number } };
}
