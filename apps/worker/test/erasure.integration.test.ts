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

const request = (subject: Subject) =>
  fixture.db.$transaction((tx) => requestErasure(tx, fixture.organizationId, subject, { operator: "test" }));

/** Requests an erasure and waits for a worker that completes it. */
async function erase(subject: Subject) {
  const { id } = await request(subject);
  await fixture.startWorker();
  return vi.waitUntil(() => fixture.db.erasure.findFirst({ where: { id, status: "completed" } }), patience);
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
  expect(await db.erasedId.count()).toBe(0);
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
