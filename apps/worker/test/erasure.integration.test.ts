import { setTimeout } from "node:timers/promises";
import type { Prisma } from "@parley/database";
import { requestErasure, type Subject } from "@parley/erasure";
import { createPublisher } from "@parley/webhooks";
import { leadCreated } from "@parley/webhooks/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
let chatbotId: string;
beforeEach(async () => {
  fixture = await startWorkerFixture();
  const data = { organizationId: fixture.organizationId, name: "Sales assistant", model: "parley-large" };
  chatbotId = (await fixture.db.chatbot.create({ data })).id;
});
afterEach(() => fixture.close());

const patience = { timeout: 20_000, interval: 100 };
const times = { startsAt: new Date(), endsAt: new Date(), timezone: "Europe/Vienna" };
const owned = () => ({ organizationId: fixture.organizationId, chatbotId });
const createLead = (data: Partial<Prisma.LeadUncheckedCreateInput>) =>
  fixture.db.lead.create({ data: { ...owned(), ...data } });

/** Stores an event with the email of the lead of `leadCreated`, replaced by another one. */
async function createEvent(email: string, recordId?: string): Promise<void> {
  const { data, ...event } = leadCreated(null);
  const body = JSON.stringify({ ...event, data }).replace("zoe@example.com", email);
  const { organizationId } = fixture;
  await fixture.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at, record_id)
    VALUES (uuidv7(), ${organizationId}::uuid, 'lead.created', ${body}, now() - interval '2 days', ${recordId ?? null}::uuid)`;
}

/** Stores an event about a ticket that was deleted. */
async function createTicketEvent(recordId: string, attributes: object): Promise<void> {
  const body = JSON.stringify({ type: "ticket.created", data: { id: recordId, type: "ticket", attributes } });
  await fixture.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at, record_id)
    VALUES (uuidv7(), ${fixture.organizationId}::uuid, 'ticket.created', ${body}, now() - interval '2 days', ${recordId}::uuid)`;
}

const request = (subject: Subject) =>
  fixture.db.$transaction((tx) => requestErasure(tx, fixture.organizationId, subject, { operator: "test" }));

const completed = (id: string) =>
  vi.waitUntil(() => fixture.db.erasure.findFirst({ where: { id, status: "completed" } }), patience);

/** Requests an erasure and waits for a worker that completes it. */
async function erase(subject: Subject) {
  const { id } = await request(subject);
  await fixture.startWorker();
  return completed(id);
}

/** Waits until a query returns a row. */
const untilFound = (sql: string) =>
  vi.waitUntil(async () => (await fixture.pool.query(sql)).rows.length > 0, patience);

/** Starts a worker, and pauses it at the end of the last pass of the only erasure, until the returned function is called. */
async function pauseLastPass(): Promise<() => Promise<void>> {
  const [earlier, locking] = [await fixture.pool.connect(), await fixture.pool.connect()];
  await fixture.startWorker();
  await untilFound("SELECT 1 FROM erasures WHERE searched_until IS NOT NULL");
  await earlier.query("BEGIN; SELECT 1");
  await untilFound(
    "SELECT 1 FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%xact_start < %'",
  );
  await locking.query("BEGIN; LOCK TABLE idempotency_keys");
  await earlier.query("COMMIT");
  await untilFound("SELECT 1 FROM pg_locks WHERE relation = 'idempotency_keys'::regclass AND NOT granted");
  earlier.release();
  return async () => {
    await locking.query("COMMIT");
    locking.release();
  };
}

test("by external ID, erases what has the email of the lead, and keeps only a hash of the person", async () => {
  const { db } = fixture;
  await createLead({ externalId: "crm-1", contactEmail: "Ada@Example.com" });
  await db.conversation.create({ data: { ...owned(), visitorEmail: "ada@example.com" } });
  await createEvent("ada@example.com");
  await createEvent("ben@example.com");
  const erasure = await erase({ external_id: "crm-1" });
  expect(erasure?.report).toMatchObject({ leads: 1, conversations: 1, events: 1 });
  expect(erasure).toMatchObject({ subject: null, emails: [], subjectHash: expect.any(Uint8Array) });
  expect(await db.event.count()).toBe(1);
  await expect.poll(() => db.erasedId.count(), patience).toBe(0);
});

test("by external ID, does not search for an email that another lead has", async () => {
  const { db } = fixture;
  const shared = { contactEmail: "family@example.com" };
  const { id: leadId } = await createLead({ externalId: "crm-1", ...shared });
  const other = await createLead({ externalId: "crm-2", contactEmail: "Family@example.com" });
  await db.ticket.create({
    data: { ...owned(), subject: "Hers", leadId, requesterEmail: shared.contactEmail },
  });
  await db.ticket.create({ data: { ...owned(), subject: "His", requesterEmail: shared.contactEmail } });
  await createEvent(shared.contactEmail, leadId);
  await createEvent(shared.contactEmail, other.id);
  const erasure = await erase({ external_id: "crm-1" });
  expect(erasure?.report).toMatchObject({ leads: 1, tickets: 1, events: 1 });
  expect(await db.lead.findMany()).toEqual([other]);
  expect(await db.ticket.findMany({ select: { subject: true } })).toEqual([{ subject: "His" }]);
  expect(await db.event.findMany({ select: { recordId: true } })).toEqual([{ recordId: other.id }]);
});

test("removes a key with the email, also if an earlier erasure removed its response, but not while its request runs", async () => {
  const { db, organizationId } = fixture;
  const emptied = { organizationId, key: "lead:ada@example.com", requestHash: new Uint8Array() };
  const running = { organizationId, key: "lead:ada@example.com:2", requestHash: new Uint8Array(32) };
  await db.idempotencyKey.createMany({ data: [emptied, running] });
  const erasure = await erase({ email: "ada@example.com" });
  expect(erasure?.report).toMatchObject({ idempotency_keys: 1 });
  expect(await db.idempotencyKey.findMany({ select: { key: true } })).toEqual([{ key: running.key }]);
});

test("compares whole emails in the bodies of events", async () => {
  const others = [
    "xada@example.com",
    "x.ada@example.com",
    "x+ada@example.com",
    "ada@example.com.au",
    "ada@example.community",
  ];
  const same = [
    "ADA@EXAMPLE.COM",
    String.raw`first\nada@example.com.`,
    "mailto:ada@example.com?subject=x",
    "https://a.example/?email=ada%40example.com",
  ];
  for (const text of [...others, ...same]) await createEvent(text);
  await erase({ email: "ada@example.com" });
  const left = await fixture.db.event.findMany({ orderBy: { id: "asc" } });
  expect(left.map(({ body }) => JSON.parse(body).data.attributes.contact.email)).toEqual(others);
});

test("a meeting is found by any attendee, and a ticket of a conversation is kept if it names someone else", async () => {
  const { db } = fixture;
  const attendees = [
    { name: "Ben", email: "ben@example.com" },
    { name: null, email: "Ada%_@example.com" },
  ];
  await db.meeting.create({
    data: { organizationId: fixture.organizationId, title: "Demo", ...times, attendees },
  });
  const { id: conversationId } = await db.conversation.create({
    data: { ...owned(), visitorEmail: "ada%_@example.com" },
  });
  const ticket = { ...owned(), conversationId, subject: "Help" };
  await db.ticket.create({ data: ticket });
  await db.ticket.create({ data: { ...ticket, requesterEmail: "ben@example.com" } });
  const erasure = await erase({ email: "ada%_@example.com" });
  expect(erasure?.report).toMatchObject({ meetings: 1, conversations: 1, tickets: 1 });
  expect(await db.ticket.findMany({ select: { conversationId: true, requesterEmail: true } })).toEqual([
    { conversationId: null, requesterEmail: "ben@example.com" },
  ]);
});

test("all events of a record that was deleted earlier are erased, if one names the person", async () => {
  const { db } = fixture;
  const [deleted, kept] = ["01928c5e-7a10-7c44-8d21-0b6de2f0a911", "01928c5e-7a10-7c44-8d21-0b6de2f0a912"];
  await createEvent("ada@example.com", deleted);
  await createEvent("no email", deleted);
  await createEvent("no email", kept);
  const erasure = await erase({ email: "ada@example.com" });
  expect(erasure?.report).toMatchObject({ events: 2 });
  expect(await db.event.findMany({ select: { recordId: true } })).toEqual([{ recordId: kept }]);
});

test("events wait for a running redelivery, and leave no delivery behind", async () => {
  const { db } = fixture;
  const { id: subscriptionId } = await fixture.subscribe("http://127.0.0.1:9/");
  await createEvent("ada@example.com");
  const { id: eventId } = await db.event.findFirstOrThrow();
  const { organizationId } = fixture;
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM events FOR KEY SHARE`; // As redelivering does.
    await request({ email: "ada@example.com" });
    await fixture.startWorker();
    await vi.waitUntil(() => db.erasure.findFirst({ where: { status: "running" } }), patience);
    await tx.delivery.create({ data: { organizationId, subscriptionId, eventId } });
  });
  await vi.waitUntil(() => db.erasure.findFirst({ where: { status: "completed" } }), patience);
  expect([await db.event.count(), await db.delivery.count()]).toEqual([0, 0]);
});

test("a change that begins before the last search, and commits after it, is found", async () => {
  const { db } = fixture;
  const publisher = createPublisher(db, { warn() {} });
  await request({ email: "ada@example.com" });
  await publisher.change(fixture.organizationId, async ({ tx }) => {
    await tx.lead.create({ data: { ...owned(), contactEmail: "ada@example.com" } });
    await fixture.startWorker();
    await vi.waitUntil(() => db.erasure.findFirst({ where: { status: "running" } }), patience);
    await tx.$executeRaw`SELECT pg_sleep(1.5)`;
  });
  const erasure = await vi.waitUntil(
    () => db.erasure.findFirst({ where: { status: "completed" } }),
    patience,
  );
  expect(erasure?.report).toMatchObject({ leads: 1 });
  expect(await db.lead.count()).toBe(0);
});

test("two workers do not run the same erasure, and requests for other people are run too", async () => {
  await createLead({ contactEmail: "ada@example.com" });
  await createLead({ contactEmail: "ben@example.com" });
  const first = await request({ email: "ada@example.com" });
  expect((await request({ email: "ADA@example.com" })).id).toBe(first.id);
  await request({ email: "ben@example.com" });
  await Promise.all([fixture.startWorker(), fixture.startWorker()]);
  await vi.waitUntil(
    async () => (await fixture.db.erasure.count({ where: { status: "completed" } })) === 2,
    patience,
  );
  const reports = await fixture.db.erasure.findMany({ select: { report: true } });
  expect(reports).toMatchObject([{ report: { leads: 1 } }, { report: { leads: 1 } }]);
  expect(await fixture.db.auditEntry.count({ where: { event: "erasure.completed" } })).toBe(2);
});

test("a repeated request finds what was written after the search", async () => {
  const { id } = await request({ email: "ada@example.com" });
  const resume = await pauseLastPass();
  await createLead({ contactEmail: "ada@example.com" });
  expect(await request({ email: "Ada@example.com" })).toMatchObject({ id, status: "pending" });
  await resume();
  expect((await completed(id))?.report).toMatchObject({ leads: 1 });
  expect(await fixture.db.lead.count()).toBe(0);
});

test("events that were read before their lead was found are read again", async () => {
  const { db } = fixture;
  const { id: leadId } = await createLead({});
  await createTicketEvent("01928c5e-7a10-7c44-8d21-0b6de2f0a911", { lead_id: leadId });
  const { id } = await request({ email: "ada@example.com" });
  const resume = await pauseLastPass();
  await db.lead.update({ where: { id: leadId }, data: { contactEmail: "ada@example.com" } });
  await request({ email: "ada@example.com" });
  await resume();
  expect((await completed(id))?.report).toMatchObject({ leads: 1, events: 1 });
});

test("an erasure that another worker has completed is not completed again", async () => {
  const { db } = fixture;
  const { id } = await request({ email: "ada@example.com" });
  const resume = await pauseLastPass();
  const byOther = { subject: null, subjectHash: Buffer.from("hash"), completedAt: new Date() };
  await db.erasure.update({ where: { id }, data: { status: "completed", ...byOther } });
  await request({ email: "ada@example.com" });
  await resume();
  await vi.waitUntil(
    async () => (await db.auditEntry.count({ where: { event: "erasure.completed" } })) > 0,
    patience,
  );
  expect(await db.erasure.findUnique({ where: { id } })).toMatchObject({
    subjectHash: Uint8Array.from(byOther.subjectHash),
  });
  expect(await db.auditEntry.count({ where: { event: "erasure.completed" } })).toBe(1);
});

test("a worker with a pool of one connection completes an erasure", async () => {
  await createLead({ contactEmail: "ada@example.com" });
  const { id } = await request({ email: "ada@example.com" });
  await fixture.startWorker({ DATABASE_POOL_SIZE: "1" });
  expect((await completed(id))?.report).toMatchObject({ leads: 1 });
});

test("a worker that loses the connection with the lock stops the erasure", async () => {
  const { db, pool } = fixture;
  await createEvent("ada@example.com");
  await request({ email: "ada@example.com" });
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM events FOR KEY SHARE`;
    await fixture.startWorker();
    await vi.waitUntil(() => db.erasure.findFirst({ where: { status: "running" } }), patience);
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ExclusiveLock'",
    );
    await setTimeout(500);
  });
  await setTimeout(1_000);
  expect(await db.event.count()).toBe(1);
});

test("an erasure that fails, or whose data is written again and again, does not keep others waiting", async () => {
  const { db, pool } = fixture;
  await pool.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
    CREATE TRIGGER fail BEFORE DELETE ON leads FOR EACH ROW WHEN (OLD.contact_email = 'failing@example.com') EXECUTE FUNCTION fail();
    CREATE FUNCTION write_again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO conversations (organization_id, chatbot_id, visitor_email)
      VALUES (OLD.organization_id, OLD.chatbot_id, OLD.visitor_email);
      RETURN NULL;
    END $$;
    CREATE TRIGGER write_again AFTER DELETE ON conversations FOR EACH ROW EXECUTE FUNCTION write_again()`);
  await createLead({ contactEmail: "failing@example.com" });
  await createLead({ contactEmail: "ben@example.com" });
  await db.conversation.create({ data: { ...owned(), visitorEmail: "writing@example.com" } });
  await request({ email: "failing@example.com" });
  await request({ email: "writing@example.com" });
  const erasure = await erase({ email: "ben@example.com" });
  expect(erasure?.report).toMatchObject({ leads: 1 });
  expect(await db.erasure.count({ where: { status: "running" } })).toBe(2);
  await pool.query("DROP TRIGGER write_again ON conversations");
  await vi.waitUntil(
    async () => (await db.erasure.count({ where: { status: "completed" } })) === 2,
    patience,
  );
});

test("a conversation is found by a ticket of the person, unless it names someone else", async () => {
  const { db } = fixture;
  const { id: leadId } = await createLead({ contactEmail: "ben@example.com" });
  for (const [n, other] of [{}, { leadId }, { visitorEmail: "ben@example.com" }].entries()) {
    const message = { organizationId: fixture.organizationId, role: "visitor", text: "Hello" };
    const { id: conversationId } = await db.conversation.create({
      data: { ...owned(), ...other, externalId: `talk-${n}`, messages: { create: message } },
    });
    await db.ticket.create({
      data: { ...owned(), conversationId, subject: "Help", requesterEmail: "ada@example.com" },
    });
  }
  const erasure = await erase({ email: "ada@example.com" });
  expect(erasure?.report).toMatchObject({ tickets: 3, conversations: 1, messages: 1 });
  expect(
    await db.conversation.findMany({ select: { externalId: true }, orderBy: { externalId: "asc" } }),
  ).toEqual([{ externalId: "talk-1" }, { externalId: "talk-2" }]);
});

test("events of a deleted record are erased if only the ID of the lead names the person", async () => {
  const { db } = fixture;
  const { id: leadId } = await createLead({ contactEmail: "ada@example.com" });
  const { id: otherLead } = await createLead({ contactEmail: "ben@example.com" });
  const deletedLead = "01928c5e-7a10-7c44-8d21-0b6de2f0a910";
  const [first, second, third] = ["911", "912", "913"].map(
    (end) => `01928c5e-7a10-7c44-8d21-0b6de2f0a${end}`,
  );
  await createTicketEvent(first ?? "", { lead_id: null });
  await createTicketEvent(first ?? "", { lead_id: leadId });
  await createTicketEvent(second ?? "", { lead_id: deletedLead });
  await createTicketEvent(third ?? "", { lead_id: otherLead, description: `"lead_id":"${leadId}"` });
  await createEvent("ada@example.com", deletedLead);
  const erasure = await erase({ email: "ada@example.com" });
  expect(await db.event.findMany({ select: { recordId: true } })).toEqual([{ recordId: third }]);
  expect(erasure?.report).toMatchObject({ leads: 1, events: 4 });
});
