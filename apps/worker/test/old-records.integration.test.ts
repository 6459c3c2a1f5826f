import { findWrongCounts } from "@parley/database";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { removeOldRecords } from "../src/jobs/remove-old-records.ts";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
let chatbotId: string;
beforeAll(async () => {
  fixture = await startWorkerFixture();
});
beforeEach(async () => {
  const { organizationId } = fixture;
  const data = { organizationId, name: "Sales assistant", model: "parley-large" };
  chatbotId = (await fixture.db.chatbot.create({ data })).id;
});
afterEach(() => fixture.reset());
afterAll(() => fixture.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const times = { startsAt: new Date(), endsAt: new Date(), timezone: "Europe/Vienna" };

/** Creates a lead, conversation, ticket, meeting and tool run that were last changed a number of days ago. */
async function createRecords(days: number) {
  const { db, organizationId } = fixture;
  const owned = { organizationId, updatedAt: daysAgo(days) };
  const { id: leadId } = await db.lead.create({ data: { ...owned, chatbotId } });
  const message = { organizationId, role: "visitor", text: "Hello" };
  const { id: conversationId } = await db.conversation.create({
    data: { ...owned, chatbotId, messages: { create: message } },
  });
  await db.ticket.create({ data: { ...owned, subject: `${days} days old` } });
  await db.meeting.create({ data: { ...owned, title: "Demo", ...times } });
  await db.$executeRaw`
    INSERT INTO tool_runs (id, organization_id, external_id, chatbot_id, tool, status, duration_ms)
    VALUES (uuidv7(make_interval(days => -${days}::int)), ${organizationId}::uuid, ${`${days}`}, ${chatbotId}::uuid, 'find', 'executed', 1)`;
  return { leadId, conversationId };
}

async function left() {
  const { db } = fixture;
  return {
    leads: await db.lead.count(),
    conversations: await db.conversation.count(),
    messages: await db.message.count(),
    tickets: await db.ticket.count(),
    meetings: await db.meeting.count(),
    tool_runs: await db.toolRun.count(),
  };
}
const all = (count: number) => ({
  leads: count,
  conversations: count,
  messages: count,
  tickets: count,
  meetings: count,
  tool_runs: count,
});

test("keeps all records without a retention", async () => {
  await createRecords(3_000);
  await removeOldRecords(fixture.pool, {});
  expect(await left()).toEqual(all(1));
});

test.each(["leads", "conversations", "tickets", "meetings", "tool_runs"] as const)(
  "removes old %s, and no other records",
  async (kind) => {
    await createRecords(31);
    await createRecords(29);
    await removeOldRecords(fixture.pool, { [kind]: 30 });
    const removed = kind === "conversations" ? { conversations: 1, messages: 1 } : { [kind]: 1 };
    expect(await left()).toEqual({ ...all(2), ...removed });
    expect(await findWrongCounts(fixture.db)).toEqual([]);
  },
);

test("records that refer to a removed one are kept, and stay as old as they are", async () => {
  const { leadId, conversationId } = await createRecords(40);
  const data = { organizationId: fixture.organizationId, subject: "Help", leadId, conversationId };
  const ticket = await fixture.db.ticket.create({ data: { ...data, updatedAt: daysAgo(10) } });
  await removeOldRecords(fixture.pool, { leads: 30, conversations: 30 });
  expect(await fixture.db.ticket.findUnique({ where: { id: ticket.id } })).toEqual({
    ...ticket,
    leadId: null,
    conversationId: null,
  });
});

test("removes many records of several organizations in batches, and skips one that is being changed", async () => {
  const { db, pool } = fixture;
  await db.$executeRaw`
    WITH o AS (INSERT INTO organizations (name, plan) SELECT 'Umbrella ' || n, 'pro' FROM generate_series(1, 3) n RETURNING id),
         c AS (INSERT INTO chatbots (organization_id, name, model) SELECT id, 'Bot', 'small' FROM o RETURNING id, organization_id)
    INSERT INTO leads (organization_id, chatbot_id, updated_at)
    SELECT organization_id, id, now() - interval '31 days' FROM c, generate_series(1, 450)`;
  const { leadId } = await createRecords(31);
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM leads WHERE id = ${leadId}::uuid FOR NO KEY UPDATE`;
    await removeOldRecords(pool, { leads: 30 });
  });
  expect(await db.lead.findMany({ select: { id: true } })).toEqual([{ id: leadId }]);
  expect(await findWrongCounts(db)).toEqual([]);
});
