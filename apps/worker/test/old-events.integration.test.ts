import { randomUUID } from "node:crypto";
import { removeOldEvents } from "@parley/webhooks";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await startWorkerFixture();
});
afterEach(() => fixture.reset());
afterAll(() => fixture.close());

const keepDays = 30;

/** Creates events of a number of days ago. Returns their IDs, which contain the time, in order. */
async function eventsOf(daysAgo: number, count = 1): Promise<string[]> {
  const rows = await fixture.db.$queryRaw<{ id: string }[]>`
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT uuidv7(make_interval(days => -${daysAgo}::int)), ${fixture.organizationId}::uuid, 'lead.created', '{}',
           now() - make_interval(days => ${daysAgo}::int)
    FROM generate_series(1, ${count}::int) RETURNING id`;
  return rows.map(({ id }) => id).toSorted();
}

const dueOf = (eventId: string) => ({
  organizationId: fixture.organizationId,
  subscriptionId: randomUUID(),
  eventId,
});

async function left(): Promise<string[]> {
  return (await fixture.db.event.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);
}

test("removes events older than the log in batches", async () => {
  await eventsOf(31, 2_500);
  await eventsOf(400, 3);
  const recent = [...(await eventsOf(29, 2)), ...(await eventsOf(0, 2))];
  expect(await removeOldEvents(fixture.pool, keepDays)).toBe(2_503);
  expect(await left()).toEqual(recent);
  expect(await removeOldEvents(fixture.pool, keepDays)).toBe(0);
});

test("keeps an event with a pending delivery, also of a failed subscription, until the delivery is finished", async () => {
  const [, due, held] = await eventsOf(90, 3);
  const { id: subscriptionId } = await fixture.subscribe("https://hooks.example.com/");
  await fixture.db.subscription.update({ where: { id: subscriptionId }, data: { status: "failed" } });
  await fixture.db.delivery.createMany({
    data: [
      { ...dueOf(due ?? ""), nextAt: new Date(Date.now() + 60_000) },
      { ...dueOf(held ?? ""), subscriptionId },
    ],
  });
  expect(await removeOldEvents(fixture.pool, keepDays)).toBe(1);
  expect(await left()).toEqual([due, held]);
  await fixture.db.delivery.deleteMany();
  expect(await removeOldEvents(fixture.pool, keepDays)).toBe(2);
});

test("removes old events that come after any number of kept events", async () => {
  const old = await eventsOf(60, 1_200);
  await fixture.pool.query(
    "INSERT INTO deliveries (organization_id, subscription_id, event_id) SELECT $1, uuidv7(), unnest($2::uuid[])",
    [fixture.organizationId, old.slice(0, 1_100)],
  );
  expect(await removeOldEvents(fixture.pool, keepDays)).toBe(100);
});

test("skips an event that is being redelivered", async () => {
  const [first = ""] = await eventsOf(60, 2);
  await fixture.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM events WHERE id = ${first}::uuid FOR KEY SHARE`; // As redelivering does.
    expect(await removeOldEvents(fixture.pool, keepDays)).toBe(1);
    await tx.delivery.create({ data: dueOf(first) });
  });
  expect(await left()).toEqual([first]);
  expect(await removeOldEvents(fixture.pool, keepDays)).toBe(0);
});

test("does not block publishing and reading events", async () => {
  const [locked = ""] = await eventsOf(60);
  const client = await fixture.pool.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM events WHERE id = $1 FOR UPDATE", [locked]); // As the removal does.
  await fixture.subscribe("https://hooks.example.com/");
  await fixture.publish(1);
  expect(await fixture.db.delivery.count()).toBe(1);
  expect(await left()).toHaveLength(2);
  await client.query("ROLLBACK");
  client.release();
});

test("locks no event with a pending delivery", async () => {
  const [kept = ""] = await eventsOf(31);
  await fixture.db.delivery.create({ data: dueOf(kept) });
  const other = await fixture.pool.connect();
  await other.query("BEGIN");
  await other.query("SELECT FROM events WHERE id = $1 FOR KEY SHARE", [kept]);
  const { rows: before } = await other.query<{ xmax: string }>("SELECT xmax FROM events WHERE id = $1", [
    kept,
  ]);
  await removeOldEvents(fixture.pool, keepDays);
  await other.query("COMMIT");
  await removeOldEvents(fixture.pool, keepDays);
  const { rows: after } = await other.query("SELECT xmax FROM events WHERE id = $1", [kept]);
  other.release();
  expect(after).toEqual(before); // The number of the last transaction that locked it.
});
