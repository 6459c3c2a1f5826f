import { randomUUID } from "node:crypto";
import type { Position } from "@parley/database";
import { expect, test } from "vitest";
import { type EventFilter, listEvents } from "../src/index.ts";
import { leadCreated, useDeliveryFixture } from "../src/testing/index.ts";
import { createEvent } from "./log-fixture.ts";

const { fixture } = useDeliveryFixture();

const now = Date.now();
type Filter = Omit<EventFilter, "organizationId">;

function list(filter: Filter = {}, limit = 100, after?: Position) {
  const { db, organizationId } = fixture;
  return listEvents(db, { organizationId, ...filter }, { limit, after });
}

async function idsOf(filter: Filter = {}): Promise<string[]> {
  return (await list(filter)).events.map(({ id }) => id);
}

async function readAll(filter: Filter, limit: number): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let after: Position | undefined;
  for (let pages = 1; ; pages += 1) {
    const { events, next } = await list(filter, limit, after);
    ids.push(...events.map(({ id }) => id));
    if (!next) return { ids, pages };
    after = next;
  }
}

test("returns published events as they are stored", async () => {
  const { organizationId, publisher, db } = fixture;
  const recordId = randomUUID();
  await publisher.change(organizationId, async ({ publish }) => publish(leadCreated(null, { id: recordId })));
  const { id, type, chatbotId, createdAt } = await db.event.findFirstOrThrow();
  expect(await list()).toEqual({ events: [{ id, type, chatbotId, createdAt, recordId }], next: null });
});

test("filters by type, chatbot, record and time", async () => {
  const [chatbotId, recordId] = [randomUUID(), randomUUID()];
  const at = (before: number) => ({ createdAt: new Date(now - before) });
  const latest = await createEvent(fixture, { ...at(0), type: "lead.updated" });
  const ofChatbot = await createEvent(fixture, { ...at(1), chatbotId });
  const ofRecord = await createEvent(fixture, { ...at(2), recordId, type: "ticket.created" });
  expect(await idsOf()).toEqual([latest, ofChatbot, ofRecord]);
  expect(await idsOf({ types: ["lead.updated", "ticket.created"] })).toEqual([latest, ofRecord]);
  expect(await idsOf({ types: [] })).toEqual([]);
  expect(await idsOf({ chatbotId })).toEqual([ofChatbot]);
  expect(await idsOf({ chatbotId: "none" })).toEqual([]);
  expect(await idsOf({ recordId })).toEqual([ofRecord]);
  expect(await idsOf({ recordId, types: ["lead.updated"] })).toEqual([]);
  expect(await idsOf({ since: new Date(now - 1).toISOString() })).toEqual([latest, ofChatbot]);
  expect(await idsOf({ until: new Date(now - 1).toISOString() })).toEqual([ofRecord]);
});

test("events with equal times are on one page each, whatever the size of the pages", async () => {
  const recordId = randomUUID();
  const expected: string[] = [];
  for (const createdAt of [new Date(now), new Date(now - 1)]) {
    const equal = [];
    for (let i = 0; i < 5; i += 1) equal.push(await createEvent(fixture, { createdAt, recordId }));
    expected.push(...equal.sort().reverse());
  }
  for (const limit of [1, 2, 4, 5, 9, 10, 11]) {
    expect((await readAll({}, limit)).ids).toEqual(expected);
    expect((await readAll({ recordId }, limit)).ids).toEqual(expected);
  }
});

test("a page ends where its search ends, and the next page continues the search", async () => {
  await fixture.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT uuidv7(i * interval '-1 s'), ${fixture.organizationId}::uuid,
           CASE WHEN i IN (1, 10000, 10001, 25000) THEN 'lead.updated' ELSE 'lead.created' END, '{}', now() - i * interval '1 s'
    FROM generate_series(1, 25000) AS i`;
  const first = await list({ types: ["lead.updated"] }, 10);
  expect(first.events).toHaveLength(2);
  expect(first.next).not.toBeNull();
  const { ids, pages } = await readAll({ types: ["lead.updated"] }, 10);
  expect(ids).toHaveLength(4);
  expect(pages).toBe(3);
  expect((await readAll({}, 9_999)).ids).toHaveLength(25_000);
});

test("never returns events of another organization", async () => {
  const { id: organizationId } = await fixture.db.organization.create({
    data: { name: "Other", plan: "pro" },
  });
  const recordId = randomUUID();
  await createEvent(fixture, { organizationId, recordId });
  expect(await idsOf()).toEqual([]);
  expect(await idsOf({ recordId })).toEqual([]);
});
