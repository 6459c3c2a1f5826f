import { randomUUID } from "node:crypto";
import { type FeedStart, limitStoredEvents, readFeed, removeOldEvents } from "@parley/webhooks";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
let organizationId: string;
beforeAll(async () => {
  fixture = await startWorkerFixture();
  ({ organizationId } = fixture);
});
afterEach(() => fixture.reset());
afterAll(() => fixture.close());

// More than a page of the table, so that its size does not exclude that the limit is exceeded.
const maxEvents = 100;
const log = { info() {}, warn: vi.fn<(context: object, text: string) => void>(), error() {} };
const limit = () => limitStoredEvents({ db: fixture.pool, maxEvents, log });

/** Creates events of different milliseconds. Returns their IDs, in order. */
async function createEvents(count: number, of = organizationId): Promise<string[]> {
  const rows = await fixture.db.$queryRaw<{ id: string }[]>`
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT uuidv7(), ${of}::uuid, 'lead.created', '{}', now() - make_interval(hours => 1) + i * interval '1 ms'
    FROM generate_series(1, ${count}::int) AS i RETURNING id`;
  return rows.map(({ id }) => id).toSorted();
}

async function stored(of = organizationId): Promise<string[]> {
  const rows = await fixture.db.event.findMany({ where: { organizationId: of }, orderBy: { id: "asc" } });
  return rows.map(({ id }) => id);
}

test("removes the oldest events of an organization that exceeds the limit, and no others", async () => {
  const other = await fixture.db.organization.create({ data: { name: "Umbrella", plan: "pro" } });
  const [ids, others] = [await createEvents(1_203), await createEvents(maxEvents, other.id)];
  log.warn.mockClear();
  await limit();
  expect(await stored()).toEqual(ids.slice(-maxEvents));
  expect(await stored(other.id)).toEqual(others);
  expect(log.warn.mock.calls).toEqual([
    [
      { organization: organizationId, removed: 1_103 },
      "events removed early: the organization exceeded the limit",
    ],
  ]);
  await limit();
  expect(await stored()).toHaveLength(maxEvents);
});

test("removes nothing without a limit, or at the limit", async () => {
  await createEvents(maxEvents);
  await limit();
  await limitStoredEvents({ db: fixture.pool, maxEvents: 0, log });
  expect(await stored()).toHaveLength(maxEvents);
  const { eventsRemovedBefore } = await fixture.db.organization.findUniqueOrThrow({
    where: { id: organizationId },
  });
  expect(eventsRemovedBefore).toBeNull();
});

test("keeps events with pending deliveries, and removes them once these are finished", async () => {
  const ids = await createEvents(maxEvents + 3);
  const [first = "", , third = ""] = ids;
  await fixture.db.delivery.createMany({
    data: [first, third].map((eventId) => ({ organizationId, subscriptionId: randomUUID(), eventId })),
  });
  await limit();
  expect(await stored()).toEqual([first, third, ...ids.slice(3)]);
  await fixture.db.delivery.deleteMany();
  await limit();
  expect(await stored()).toEqual(ids.slice(3));
});

test("keeps all events of one time", async () => {
  await fixture.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT uuidv7(), ${organizationId}::uuid, 'lead.created', '{}', now() FROM generate_series(1, ${maxEvents + 50}::int)`;
  await limit();
  expect(await stored()).toHaveLength(maxEvents + 50);
});

test("the feed of the organization begins at the first event that is kept, and the retention does not undo it", async () => {
  const ids = await createEvents(maxEvents + 20);
  await limit();
  await removeOldEvents(fixture.pool, 30);
  const since: FeedStart = { since: "1970-01-01T00:00:00.000Z" };
  const page = await readFeed(fixture.db, { organizationId }, since, 1);
  expect(page.events.map(({ id }) => id)).toEqual([ids[20]]);
});

test("a run that was interrupted before it removed the events is continued by the next one", async () => {
  const ids = await createEvents(maxEvents + 20);
  // As after a kill: readers already know that the events may be missing.
  const { createdAt } = await fixture.db.event.findUniqueOrThrow({ where: { id: ids[20] ?? "" } });
  await fixture.db.organization.update({
    where: { id: organizationId },
    data: { eventsRemovedBefore: createdAt },
  });
  await limit();
  expect(await stored()).toEqual(ids.slice(20));
});

test("a reader whose cursor keeps up never skips an event while events are published and removed", async () => {
  await fixture.subscribe("https://hooks.example.com/");
  let isOver = false;
  const read: string[] = [];
  async function follow(): Promise<void> {
    let start: FeedStart = { since: "1970-01-01T00:00:00.000Z" };
    for (;;) {
      const wasOver = isOver;
      const page = await readFeed(fixture.db, { organizationId }, start, 50);
      read.push(...page.events.map(({ id }) => id));
      start = { after: page.next };
      if (wasOver && page.events.length === 0) return;
    }
  }
  async function remove(): Promise<void> {
    while (!isOver) {
      await limitStoredEvents({ db: fixture.pool, maxEvents: 20, log });
      await fixture.db.delivery.deleteMany();
    }
  }
  const published: string[] = [];
  const following = Promise.all([follow(), remove()]);
  for (let i = 0; i < 10; i += 1) {
    await fixture.publish(10);
    published.push(...(await stored()).filter((id) => !published.includes(id)));
  }
  await vi.waitFor(async () => expect((await stored()).length).toBeLessThan(100), { timeout: 60_000 });
  isOver = true;
  await following;
  expect(read).toEqual(read.toSorted());
  expect(new Set(read).size).toBe(read.length);
  expect(read).toEqual(expect.arrayContaining(published));
});
