import { randomBytes } from "node:crypto";
import { connect, createDatabase, createPool, type Database, type Prisma } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import { createSecretBox } from "@parley/webhooks";
import { leadCreated } from "@parley/webhooks/testing";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { requestErasure, type Subject, startErasures } from "../src/index.ts";

let database: TestDatabase;
let db: Database;
let pool: Pool;
let organizationId: string;
let chatbotId: string;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 4 });
  pool = createPool(database.url, { poolSize: 4 });
});
afterAll(async () => {
  await pool.end();
  await db.$disconnect();
  await database.release();
});
beforeEach(async () => {
  organizationId = (await db.organization.create({ data: { name: "Acme", plan: "pro" } })).id;
  const data = { organizationId, name: "Sales assistant", model: "parley-large" };
  chatbotId = (await db.chatbot.create({ data })).id;
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await database.empty();
});

const secretBox = createSecretBox(randomBytes(32));

interface Worker {
  /** Called after each failed run. */
  failed: () => void;
  /** Called when the connection with the locks is closed. */
  disconnected: () => void;
  pool: Pool;
}

/** Runs erasures as a worker does, until the test ends. */
function startWorker({
  failed = () => {},
  disconnected = () => {},
  pool: own = createPool(database.url, { poolSize: 4 }),
}: Partial<Worker> = {}): void {
  const erasures = startErasures({
    db: own,
    connect: async () => (await connect(database.url)).once("end", disconnected),
    records: db,
    secretBox,
    log: { info() {}, warn() {}, error() {} },
    failed,
    everyMs: 20,
  });
  stops.push(async () => {
    await erasures.stop();
    await own.end();
  });
}

const patience = { timeout: 60_000, interval: 10 };
const longTransaction = { timeout: 90_000 };
const times = { startsAt: new Date(), endsAt: new Date(), timezone: "Europe/Vienna" };
const owned = () => ({ organizationId, chatbotId });
const createLead = (data: Partial<Prisma.LeadUncheckedCreateInput>) =>
  db.lead.create({ data: { ...owned(), ...data } });

/** Stores an event with the email of the lead of `leadCreated`, replaced by another one. */
async function createEvent(email: string, recordId?: string): Promise<void> {
  const { data, ...event } = leadCreated(null);
  const body = JSON.stringify({ ...event, data }).replace("zoe@example.com", email);
  await db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at, record_id)
    VALUES (uuidv7(), ${organizationId}::uuid, 'lead.created', ${body}, now() - interval '2 days', ${recordId ?? null}::uuid)`;
}

/** Stores an event about a ticket that was deleted. */
async function createTicketEvent(recordId: string, attributes: object): Promise<void> {
  const body = JSON.stringify({ type: "ticket.created", data: { id: recordId, type: "ticket", attributes } });
  await db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at, record_id)
    VALUES (uuidv7(), ${organizationId}::uuid, 'ticket.created', ${body}, now() - interval '2 days', ${recordId}::uuid)`;
}

const request = (subject: Subject) =>
  db.$transaction((tx) => requestErasure(tx, organizationId, subject, { operator: "test" }));

const completed = (id: string) =>
  vi.waitUntil(() => db.erasure.findFirst({ where: { id, status: "completed" } }), patience);

/** Requests an erasure and waits for a worker that completes it. */
async function erase(subject: Subject) {
  const { id } = await request(subject);
  startWorker();
  return completed(id);
}

/** Waits until a query returns a row. */
const untilFound = (sql: string) =>
  vi.waitUntil(async () => (await pool.query(sql)).rows.length > 0, patience);

/** Waits until a worker waits for the transactions that began before its last pass. */
const untilWaiting = () =>
  untilFound(
    `SELECT 1 FROM pg_stat_activity JOIN erasures ON query_start > searched_until
     WHERE pid <> pg_backend_pid() AND query LIKE '%xact_start < %'`,
  );

/** Waits until a worker has found events that another transaction holds, and waits before it tries again. */
const untilRetrying = () =>
  untilFound(
    `SELECT 1 FROM pg_stat_activity JOIN erasures ON query_start > created_at
     WHERE query = 'SELECT id FROM events WHERE id = ANY ($1)'`,
  );

/** Opens a connection with a transaction, which ends with the test at the latest. */
async function begin() {
  const client = await connect(database.url);
  stops.push(() => client.end());
  await client.query("BEGIN; SELECT 1");
  return client;
}

/** Starts a worker, and pauses it at the end of the last pass of the only erasure, until the returned function is called. */
async function pauseLastPass(): Promise<() => Promise<unknown>> {
  const earlier = await begin();
  startWorker();
  await untilWaiting();
  const locking = await begin();
  await locking.query("LOCK TABLE idempotency_keys");
  await earlier.query("COMMIT");
  await untilFound("SELECT 1 FROM pg_locks WHERE relation = 'idempotency_keys'::regclass AND NOT granted");
  return () => locking.query("COMMIT");
}

test("by external ID, erases what has the email of the lead, and keeps only a hash of the person", async () => {
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
  const left = await db.event.findMany({ orderBy: { id: "asc" } });
  expect(left.map(({ body }) => JSON.parse(body).data.attributes.contact.email)).toEqual(others);
});

test("a meeting is found by any attendee, and a ticket of a conversation is kept if it names someone else", async () => {
  const attendees = [
    { name: "Ben", email: "ben@example.com" },
    { name: null, email: "Ada%_@example.com" },
  ];
  await db.meeting.create({
    data: { organizationId, title: "Demo", ...times, attendees },
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
  const [deleted, kept] = ["01928c5e-7a10-7c44-8d21-0b6de2f0a911", "01928c5e-7a10-7c44-8d21-0b6de2f0a912"];
  await createEvent("ada@example.com", deleted);
  await createEvent("no email", deleted);
  await createEvent("no email", kept);
  const erasure = await erase({ email: "ada@example.com" });
  expect(erasure?.report).toMatchObject({ events: 2 });
  expect(await db.event.findMany({ select: { recordId: true } })).toEqual([{ recordId: kept }]);
});

test("events wait for a running redelivery, and leave no delivery behind", async () => {
  const secret = secretBox.encrypt("secret", organizationId);
  const { id: subscriptionId } = await db.subscription.create({
    data: { organizationId, targetUrl: "http://127.0.0.1:9/", eventTypes: ["lead.created"], secret },
  });
  await createEvent("ada@example.com");
  const { id: eventId } = await db.event.findFirstOrThrow();
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM events FOR KEY SHARE`; // As redelivering does.
    await request({ email: "ada@example.com" });
    startWorker();
    await untilRetrying();
    await tx.delivery.create({ data: { organizationId, subscriptionId, eventId } });
  }, longTransaction);
  await vi.waitUntil(() => db.erasure.findFirst({ where: { status: "completed" } }), patience);
  expect([await db.event.count(), await db.delivery.count()]).toEqual([0, 0]);
});

test("a change that begins before the last search, and commits after it, is found", async () => {
  await request({ email: "ada@example.com" });
  await db.$transaction(async (tx) => {
    await tx.lead.create({ data: { ...owned(), contactEmail: "ada@example.com" } });
    startWorker();
    await untilWaiting();
  }, longTransaction);
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
  startWorker();
  startWorker();
  await vi.waitUntil(
    async () => (await db.erasure.count({ where: { status: "completed" } })) === 2,
    patience,
  );
  const reports = await db.erasure.findMany({ select: { report: true } });
  expect(reports).toMatchObject([{ report: { leads: 1 } }, { report: { leads: 1 } }]);
  expect(await db.auditEntry.count({ where: { event: "erasure.completed" } })).toBe(2);
});

test("a worker leaves an erasure to the worker that runs it", async () => {
  await createEvent("ada@example.com");
  await request({ email: "ada@example.com" });
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM events FOR KEY SHARE`;
    startWorker();
    await untilRetrying();
    const other = createPool(database.url, { poolSize: 1 });
    const queries = vi.spyOn(other, "query");
    const statements = () => queries.mock.calls.map(([query]) => (query as { name?: string }).name ?? query);
    startWorker({ pool: other });
    await vi.waitUntil(() => statements().filter((name) => name === "find-erasures").length > 2, patience);
    expect(statements()).not.toContainEqual(expect.stringContaining("UPDATE erasures"));
  }, longTransaction);
});

test("a repeated request finds what was written after the search", async () => {
  const { id } = await request({ email: "ada@example.com" });
  const resume = await pauseLastPass();
  await createLead({ contactEmail: "ada@example.com" });
  expect(await request({ email: "Ada@example.com" })).toMatchObject({ id, status: "pending" });
  await resume();
  expect((await completed(id))?.report).toMatchObject({ leads: 1 });
  expect(await db.lead.count()).toBe(0);
});

test("events that were read before their lead was found are read again", async () => {
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
  startWorker({ pool: createPool(database.url, { poolSize: 1 }) });
  expect((await completed(id))?.report).toMatchObject({ leads: 1 });
});

test("a worker that loses the connection with the lock stops the erasure", async () => {
  await createEvent("ada@example.com");
  await request({ email: "ada@example.com" });
  const [disconnected, failed] = [vi.fn<() => void>(), vi.fn<() => void>()];
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM events FOR KEY SHARE`;
    startWorker({ disconnected, failed });
    await untilRetrying();
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ExclusiveLock'",
    );
    await vi.waitUntil(() => disconnected.mock.calls.length > 0, patience);
  }, longTransaction);
  await vi.waitUntil(() => failed.mock.calls.length > 0, patience);
  expect(await db.event.count()).toBe(1);
});

test("an erasure that fails, or whose data is written again and again, does not keep others waiting", async () => {
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
  await pool.query("DROP FUNCTION write_again CASCADE");
  await vi.waitUntil(
    async () => (await db.erasure.count({ where: { status: "completed" } })) === 2,
    patience,
  );
  await pool.query("DROP FUNCTION fail CASCADE");
});

test("a conversation is found by a ticket of the person, unless it names someone else", async () => {
  const { id: leadId } = await createLead({ contactEmail: "ben@example.com" });
  for (const [n, other] of [{}, { leadId }, { visitorEmail: "ben@example.com" }].entries()) {
    const message = { organizationId, role: "visitor", text: "Hello" };
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
