import { randomUUID } from "node:crypto";
import type { Position } from "@parley/database";
import { beforeEach, describe, expect, test } from "vitest";
import {
  deliveriesOfEvent,
  findDelivery,
  listDeliveries,
  listOrganizationDeliveries,
  type OrganizationDeliveryFilter,
  redeliverEvent,
} from "../src/index.ts";
import { leadCreated, useDeliveryFixture } from "../src/testing/index.ts";
import { createEvent, createPending, logAttempt } from "./log-fixture.ts";

const { fixture } = useDeliveryFixture();
let one: string;
let two: string;
beforeEach(async () => {
  one = (await fixture.subscribe("https://one.example.com/")).id;
  two = (await fixture.subscribe("https://two.example.com/")).id;
});

const now = Date.now();
const minuteMs = 60_000;
const dayMs = 86_400_000;
type Filter = Omit<OrganizationDeliveryFilter, "organizationId">;

function list(filter: Filter = {}, limit = 100, after?: Position) {
  const { db, organizationId } = fixture;
  return listOrganizationDeliveries(db, { organizationId, ...filter }, { limit, after });
}

async function idsOf(filter: Filter = {}): Promise<string[]> {
  return (await list(filter)).rows.map(({ id }) => id);
}

/** Reads all pages. */
async function readAll(filter: Filter, limit: number): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let after: Position | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await list(filter, limit, after);
    ids.push(...page.rows.map(({ id }) => id));
    expect(page.hasMore).toBe(page.next !== null);
    if (!page.next) return { ids, pages };
    after = page.next;
  }
}

test("lists the same rows as the list of a subscription, latest first", async () => {
  const finished = await logAttempt(fixture, { subscriptionId: one, at: now - minuteMs });
  const pending = await createPending(fixture, { subscriptionId: two, at: now - 2 * minuteMs, attempts: 1 });
  const { rows } = await list();
  expect(rows.map(({ id }) => id)).toEqual([finished, pending]);
  for (const [subscriptionId, row] of [
    [one, rows[0]],
    [two, rows[1]],
  ] as const) {
    const filter = { organizationId: fixture.organizationId, subscriptionId };
    const listed = await listDeliveries(fixture.db, filter, { limit: 10, offset: 0 });
    expect([row]).toEqual(listed.rows);
    expect(row).toEqual(await findDelivery(fixture.db, filter, row?.id ?? ""));
  }
});

describe("filters by", () => {
  test("subscription", async () => {
    const first = await logAttempt(fixture, { subscriptionId: one, at: now });
    const second = await createPending(fixture, { subscriptionId: two, at: now });
    expect(await idsOf({ subscriptionId: one })).toEqual([first]);
    expect(await idsOf({ subscriptionId: two.toUpperCase() })).toEqual([second]);
    expect(await idsOf({ subscriptionId: randomUUID() })).toEqual([]);
    expect(await idsOf({ subscriptionId: "none" })).toEqual([]);
  });

  test("status", async () => {
    const subscriptionId = one;
    const delivered = await logAttempt(fixture, { subscriptionId, at: now });
    const exhausted = await logAttempt(fixture, { subscriptionId, at: now - 1, outcome: "exhausted" });
    await logAttempt(fixture, { subscriptionId, at: now - 2, outcome: "failed" });
    const pending = await createPending(fixture, { subscriptionId, at: now - 3 });
    const retrying = await createPending(fixture, { subscriptionId, at: now - 4, attempts: 2 });
    expect(await idsOf()).toEqual([delivered, exhausted, pending, retrying]);
    expect(await idsOf({ status: "delivered" })).toEqual([delivered]);
    expect(await idsOf({ status: "exhausted" })).toEqual([exhausted]);
    expect(await idsOf({ status: "pending" })).toEqual([pending, retrying]);
    expect(await idsOf({ status: "retrying" })).toEqual([retrying]);
  });

  test("event type", async () => {
    const finished = await logAttempt(fixture, { subscriptionId: one, at: now, eventType: "lead.updated" });
    const pending = await createPending(fixture, {
      subscriptionId: two,
      at: now - 1,
      eventType: "lead.updated",
    });
    await logAttempt(fixture, { subscriptionId: one, at: now });
    await createPending(fixture, { subscriptionId: two, at: now });
    expect(await idsOf({ eventType: "lead.updated" })).toEqual([finished, pending]);
    expect(await idsOf({ eventType: "lead.updated", status: "pending" })).toEqual([pending]);
  });

  test("times, the end exclusive", async () => {
    const times = [0, 1, 2, 3 * dayMs, 3 * dayMs + 1].map((before) => now - before);
    const ids: string[] = [];
    for (const at of times) {
      ids.push(await logAttempt(fixture, { subscriptionId: one, at }));
      ids.push(await createPending(fixture, { subscriptionId: one, at: at - 10 }));
    }
    const iso = (ms: number) => new Date(ms).toISOString();
    const between = async (from: number, to: number) =>
      new Set(await idsOf({ since: iso(from), until: iso(to) }));
    expect(await between(now - 2, now)).toEqual(new Set([ids[2], ids[4]]));
    expect(await between(now - 12, now - 10)).toEqual(new Set([ids[3], ids[5]]));
    expect(await between(now - 3 * dayMs, now - dayMs)).toEqual(new Set([ids[6]]));
    expect(await idsOf({ until: iso(now - 3 * dayMs) })).toEqual([ids[8], ids[7], ids[9]]);
  });

  test("event and record", async () => {
    const recordId = randomUUID();
    const event = await createEvent(fixture, { recordId });
    const next = await createEvent(fixture, { recordId });
    const first = await logAttempt(fixture, { subscriptionId: one, at: now, eventId: event });
    const second = await createPending(fixture, { subscriptionId: two, at: now - 1, eventId: event });
    const third = await logAttempt(fixture, {
      subscriptionId: two,
      at: now - 2,
      eventId: next,
      outcome: "exhausted",
    });
    await logAttempt(fixture, { subscriptionId: two, at: now });
    expect(await idsOf({ eventId: event })).toEqual([first, second]);
    expect(await idsOf({ recordId })).toEqual([first, second, third]);
    expect(await idsOf({ recordId, eventId: next })).toEqual([third]);
    expect(await idsOf({ recordId, status: "delivered" })).toEqual([first]);
    expect(await idsOf({ recordId, subscriptionId: two })).toEqual([second, third]);
    expect(await idsOf({ recordId: randomUUID() })).toEqual([]);
    expect(await idsOf({ eventId: "none" })).toEqual([]);
    expect((await readAll({ recordId }, 1)).ids).toEqual([first, second, third]);
  });
});

test("deliveries with equal times are on one page each, whatever the size of the pages", async () => {
  const expected: string[] = [];
  for (const at of [now, now - minuteMs, now - 4 * dayMs]) {
    const equal: string[] = [];
    for (const subscriptionId of [one, two]) {
      for (let i = 0; i < 4; i += 1) equal.push(await logAttempt(fixture, { subscriptionId, at }));
      for (let i = 0; i < 3; i += 1) equal.push(await createPending(fixture, { subscriptionId, at }));
    }
    expected.push(...equal.sort().reverse());
  }
  for (const limit of [1, 3, 7, 14, 41, 42, 43]) {
    expect((await readAll({}, limit)).ids).toEqual(expected);
  }
});

/** Logs attempts and creates pending deliveries, one per second. */
async function logMany(subscriptionId: string, finished: number, pending: number): Promise<void> {
  const { db, organizationId } = fixture;
  await db.$executeRaw`
    INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id, event_type, outcome, duration_ms)
    SELECT uuidv7(i * interval '-1 s'), 1, now() - i * interval '1 s', ${organizationId}::uuid, ${subscriptionId}::uuid, uuidv7(),
           CASE WHEN i % 4000 = 0 THEN 'lead.updated' ELSE 'lead.created' END, 'delivered', 1
    FROM generate_series(1, ${finished}::int) AS i`;
  const eventId = await createEvent(fixture);
  await db.$executeRaw`
    INSERT INTO deliveries (id, organization_id, subscription_id, event_id)
    SELECT uuidv7(i * interval '-1 s'), ${organizationId}::uuid, ${subscriptionId}::uuid, ${eventId}::uuid
    FROM generate_series(1, ${pending}::int) AS i`;
}

test("a page ends where its search ends, and the next page continues the search", async () => {
  await logMany(one, 12_500, 9_000);
  await logMany(two, 100, 0);
  await createPending(fixture, { subscriptionId: two, at: now - 3 * 3_600_000, eventType: "lead.updated" });
  const first = await list({ eventType: "lead.updated" }, 10);
  expect(first.hasMore).toBe(true);
  expect(first.rows.length).toBeLessThan(4);
  const { ids, pages } = await readAll({ eventType: "lead.updated" }, 10);
  expect(ids).toHaveLength(4);
  expect(pages).toBeGreaterThan(2);
  const rows = await fixture.db.deliveryAttempt.findMany({
    where: { eventType: "lead.updated" },
    orderBy: { attemptedAt: "desc" },
  });
  expect(ids.filter((id) => rows.some(({ deliveryId }) => deliveryId === id))).toEqual(
    rows.map(({ deliveryId }) => deliveryId),
  );
  expect((await readAll({}, 5_000)).ids).toHaveLength(12_500 + 9_000 + 100 + 1);
});

test("never returns deliveries of another organization", async () => {
  const other = await fixture.db.organization.create({ data: { name: "Other", plan: "pro" } });
  const foreign = (await fixture.subscribe("https://other.example.com/", { organizationId: other.id })).id;
  const row = { organizationId: other.id, subscriptionId: foreign, at: now };
  const recordId = randomUUID();
  const eventId = await createEvent(fixture, { organizationId: other.id, recordId });
  const theirs = [
    await logAttempt(fixture, { ...row, eventId }),
    await createPending(fixture, { ...row, eventId }),
  ];
  const own = await logAttempt(fixture, { subscriptionId: one, at: now });
  expect(await idsOf()).toEqual([own]);
  for (const filter of [{ subscriptionId: foreign }, { eventId }, { recordId }])
    expect(await idsOf(filter)).toEqual([]);
  expect(await deliveriesOfEvent(fixture.db, fixture.organizationId, eventId)).toEqual([]);
  const found = await deliveriesOfEvent(fixture.db, other.id, eventId);
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set(theirs));
});

test("an event's deliveries include redeliveries and filled gaps", async () => {
  const { db, organizationId, publisher } = fixture;
  await publisher.change(organizationId, async ({ publish }) => publish(leadCreated(null)));
  const event = await db.event.findFirstOrThrow();
  const attempted = await db.delivery.findFirstOrThrow({ where: { subscriptionId: one } });
  await db.delivery.delete({ where: { id: attempted.id } });
  const row = { subscriptionId: one, eventId: event.id, deliveryId: attempted.id };
  await logAttempt(fixture, { ...row, at: now - 2_000, outcome: "failed" });
  await logAttempt(fixture, { ...row, at: now - 1_000, outcome: "exhausted", attempt: 2 });
  const [finished] = await deliveriesOfEvent(db, organizationId, event.id).then((rows) =>
    rows.filter(({ id }) => id === attempted.id),
  );
  expect(finished).toMatchObject({ status: "exhausted", attempts: 2 });
  const again = await publisher.change(organizationId, ({ tx }) =>
    redeliverEvent(tx, finished as never, null),
  );
  const { id: gap } = await fixture.subscribe("https://gap.example.com/");
  await db.$executeRaw`
    INSERT INTO deliveries (organization_id, subscription_id, event_id) VALUES (${organizationId}::uuid, ${gap}::uuid, ${event.id}::uuid)`;
  const found = await deliveriesOfEvent(db, organizationId, event.id);
  expect(
    found.map(({ subscriptionId, status, redelivery }) => ({ subscriptionId, status, redelivery })),
  ).toEqual([
    { subscriptionId: gap, status: "pending", redelivery: false },
    { subscriptionId: one, status: "pending", redelivery: true },
    { subscriptionId: two, status: "pending", redelivery: false },
    { subscriptionId: one, status: "exhausted", redelivery: false },
  ]);
  expect(found[1]?.id).toBe(again);
  expect(await deliveriesOfEvent(db, organizationId, "none")).toEqual([]);
});
