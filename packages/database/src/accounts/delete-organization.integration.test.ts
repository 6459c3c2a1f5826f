import type { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connect, createDatabase, type Database } from "../client.ts";
import { hashToken } from "../credentials.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { isDatabaseUnavailable } from "../unavailable.ts";
import { createClient } from "./clients.ts";
import { deleteOrganization } from "./delete-organization.ts";
import { setPlan } from "./organizations.ts";
import { createUser } from "./users.ts";

let database: TestDatabase;
let db: Database;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2 });
  client = await connect(database.url);
});
afterEach(() => database.empty());
afterAll(async () => {
  await client.end();
  await db.$disconnect();
  await database.release();
});

const by = { operator: "root" };

/** All tables with an organization_id, read from the schema. */
async function rowsByTable(organizationId: string): Promise<Record<string, number>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT table_name AS name FROM information_schema.columns
    JOIN pg_class ON relname = table_name AND NOT relispartition
    WHERE column_name = 'organization_id' AND table_schema = 'public'`;
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await db.$queryRawUnsafe<{ rows: number }[]>(
        `SELECT count(*)::int AS rows FROM "${name}" WHERE organization_id = $1::uuid`,
        organizationId,
      );
      return [name, row?.rows ?? 0] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** Creates an organization with a user and a record of each kind. */
async function createOrganization(name: string) {
  const user = { email: `${name}@example.com`, name: "Ada", passwordHash: "none" };
  const organization = await db.organization.create({ data: { name, plan: "pro", users: { create: user } } });
  const { id: organizationId } = organization;
  const { id: chatbotId } = await db.chatbot.create({ data: { organizationId, name: "Bot", model: "any" } });
  await db.lead.create({ data: { organizationId, chatbotId } });
  const message = { organizationId, role: "visitor", text: "Hello" };
  await db.conversation.create({ data: { organizationId, chatbotId, messages: { create: message } } });
  await db.ticket.create({ data: { organizationId, subject: "Help" } });
  const at = new Date();
  await db.meeting.create({
    data: { organizationId, title: "Demo", startsAt: at, endsAt: at, timezone: "Europe/Vienna" },
  });
  return organization;
}

/** Creates a row in each other table. */
async function fillEveryTable(organizationId: string): Promise<void> {
  const chatbot = await db.chatbot.findFirstOrThrow({ where: { organizationId } });
  const user = await db.user.findFirstOrThrow({ where: { organizationId } });
  const message = await db.message.findFirstOrThrow({ where: { organizationId } });
  const { id: chatbotId } = chatbot;
  const { id: messageId, conversationId, chatbotId: messageChatbotId } = message;
  const at = new Date();
  const own = { organizationId, externalId: "x" };
  await db.oAuthClient.create({ data: { id: "own", name: "Own", redirectUris: [], organizationId } });
  await db.oAuthGrant.create({ data: { organizationId, userId: user.id, clientId: "own", scopes: [] } });
  const person = { organizationId, role: "admin", name: "Ada", expiresAt: at };
  await db.userSession.create({ data: { ...person, tokenHash: hashToken("session of a link") } });
  await db.consoleLink.create({
    data: { ...person, tokenHash: hashToken("link"), returnTo: "/console" },
  });
  await db.messageFeedback.create({
    data: { ...own, messageId, conversationId, chatbotId: messageChatbotId, rating: "positive" },
  });
  await db.toolRun.create({ data: { ...own, chatbotId, tool: "x", status: "executed", durationMs: 1 } });
  await db.usageRecord.create({ data: { ...own, metric: "messages", quantity: 1, occurredAt: at } });
  await db.usagePeriod.create({ data: { organizationId, metric: "messages", periodStart: at } });
  await db.idempotencyKey.create({ data: { organizationId, key: "x", requestHash: new Uint8Array(32) } });
  const subscription = await db.subscription.create({
    data: {
      organizationId,
      targetUrl: "https://x.example/",
      eventTypes: ["lead.created"],
      secret: new Uint8Array(1),
      queue: { create: {} },
    },
  });
  const { id: subscriptionId, targetUrl, secret } = subscription;
  await db.subscriptionVersion.create({
    data: { organizationId, subscriptionId, version: 1, targetUrl, secret, headerNames: [] },
  });
  const keys = { publicKey: new Uint8Array(32), privateKey: new Uint8Array(1) };
  await db.organizationSigningKey.create({ data: { ...keys, organizationId, signsFrom: at } });
  const eventId = chatbotId;
  const delivery = { organizationId, subscriptionId: subscription.id, eventId };
  await db.event.create({
    data: { id: eventId, organizationId, type: "lead.created", body: "{}", createdAt: at },
  });
  const { id: deliveryId } = await db.delivery.create({ data: delivery });
  const attempt = {
    attempt: 1,
    attemptedAt: at,
    eventType: "lead.created",
    outcome: "delivered",
    durationMs: 1,
  };
  await db.apiRequestCount.create({
    data: { organizationId, minute: at, requests: 1, errors: 0, limited: 0, dropped: 0 },
  });
  const request = { method: "GET", route: "/api/v1/me", statusCode: 200, durationMs: 1, requestId: "x" };
  await db.apiRequest.create({ data: { ...request, organizationId, id: chatbotId, requestedAt: at } });
  await db.deliveryAttempt.create({ data: { ...delivery, ...attempt, deliveryId } });
  const erasure = { organizationId, subjectType: "email", subject: "ada@example.com" };
  await db.erasure.create({ data: { ...erasure, erasedIds: { create: { id: chatbotId, isEvent: false } } } });
  const range = { status: "delivered", since: at, until: at, searchedAt: at, searchedId: subscriptionId };
  await db.redelivery.create({ data: { ...range, organizationId, subscriptionId } });
  const counts = { organizationId, subscriptionId, delivered: 1, failed: 0, exhausted: 0 };
  await db.deliveryCount.create({ data: { ...counts, hour: at } });
}

async function rowsLeft(organizationId: string) {
  return Object.entries(await rowsByTable(organizationId)).filter(([, rows]) => rows > 0);
}

/** Creates an organization to delete, with a row in each table, and another one. */
async function twoOrganizations() {
  const [gone, kept] = [await createOrganization("gone"), await createOrganization("kept")];
  await client.query("SELECT fold_record_counts(100000)");
  await fillEveryTable(gone.id);
  await client.query("UPDATE leads SET status = 'disqualified' WHERE organization_id = $1", [gone.id]); // Changes a count.
  return { gone, kept };
}

test("deletes all data of the organization except the audit log, and keeps the data of other organizations", async () => {
  const { gone, kept } = await twoOrganizations();
  const before = await rowsByTable(gone.id);
  expect(Object.entries(before).filter(([name, rows]) => rows === 0 && name !== "audit_log")).toEqual([]);
  const others = await rowsByTable(kept.id);

  await deleteOrganization(db, gone.id, by);
  expect(await rowsLeft(gone.id)).toEqual([["audit_log", 1]]);
  expect(await db.subscriptionQueue.count()).toBe(0);
  expect(await rowsByTable(kept.id)).toEqual(others);
  await expect(deleteOrganization(db, gone.id, by)).rejects.toThrow(`No organization ${gone.id} exists.`);
});

test("empties tables that were created later, with and without foreign keys", async () => {
  const { gone, kept } = await twoOrganizations();
  await client.query(`
    CREATE TABLE "Notes" (id int PRIMARY KEY, organization_id uuid REFERENCES organizations ON DELETE RESTRICT);
    CREATE TABLE note_lines (note_id int NOT NULL REFERENCES "Notes" ON DELETE CASCADE, line int);
    CREATE TABLE note_authors (note_id int REFERENCES "Notes" ON DELETE SET NULL);
    CREATE TABLE traces (day date, organization_id uuid, text text) PARTITION BY LIST (day);
    CREATE TABLE traces_rest PARTITION OF traces DEFAULT;
    INSERT INTO "Notes" SELECT i, CASE WHEN i % 3 = 0 THEN $$${kept.id}$$::uuid ELSE $$${gone.id}$$ END
      FROM generate_series(1, 3000) AS i;
    INSERT INTO note_lines SELECT id, 1 FROM "Notes";
    INSERT INTO note_authors SELECT id FROM "Notes";
    INSERT INTO traces SELECT now(), organization_id, repeat('x', 500) FROM "Notes"`);
  await deleteOrganization(db, gone.id, by, 100);
  const counts = await client.query(`
    SELECT (SELECT count(*)::int FROM "Notes") AS notes, (SELECT count(*)::int FROM note_lines) AS lines,
           (SELECT count(*)::int FROM note_authors) AS authors, (SELECT count(*)::int FROM traces) AS traces`);
  expect(counts.rows).toEqual([{ notes: 1000, lines: 1000, authors: 3000, traces: 1000 }]);
  expect(await rowsLeft(gone.id)).toEqual([["audit_log", 1]]);
  await client.query('DROP TABLE "Notes", note_lines, note_authors, traces');
});

test("deletes a batch of rows in each transaction", async () => {
  const { gone } = await twoOrganizations();
  await client.query(`
    CREATE TABLE deleted (transaction xid8 DEFAULT pg_current_xact_id(), name text, rows int);
    CREATE FUNCTION log_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO deleted (name, rows) SELECT TG_TABLE_NAME, count(*) FROM gone HAVING count(*) > 0;
      RETURN NULL;
    END $$`);
  const counted = ["leads", "oauth_tokens", "events", "delivery_attempts_default", "usage_records"];
  for (const name of counted) {
    await client.query(`CREATE TRIGGER log_deleted AFTER DELETE ON ${name} REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION log_deleted()`);
  }
  await client.query(
    `WITH o AS (SELECT $1::uuid AS id), many AS (SELECT i, uuidv7() AS u FROM generate_series(1, 1000) AS i),
     l AS (INSERT INTO leads (organization_id, chatbot_id)
           SELECT o.id, (SELECT id FROM chatbots WHERE organization_id = o.id LIMIT 1) FROM o, many),
     t AS (INSERT INTO oauth_tokens (token_hash, kind, grant_id, scopes, expires_at)
           SELECT uuid_send(u), 'access', (SELECT id FROM oauth_grants WHERE organization_id = o.id LIMIT 1), '{}', now()
           FROM o, many),
     e AS (INSERT INTO events (id, organization_id, type, body, created_at)
           SELECT u, o.id, 'lead.created', '{}', now() FROM o, many),
     a AS (INSERT INTO delivery_attempts
             (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id, event_type, outcome, duration_ms)
           SELECT u, 1, now(), o.id, u, u, 'lead.created', 'delivered', 1 FROM o, many)
     INSERT INTO usage_records (organization_id, external_id, metric, quantity, occurred_at)
     SELECT o.id, i::text, 'messages', 1, now() FROM o, many`,
    [gone.id],
  );
  await deleteOrganization(db, gone.id, by, 100);
  const { rows } = await client.query<{ name: string; total: number; largest: number }>(`
    SELECT name, sum(rows)::int AS total, max(rows) AS largest
    FROM (SELECT name, transaction, sum(rows)::int AS rows FROM deleted GROUP BY 1, 2) AS transactions GROUP BY 1`);
  expect(rows.map(({ name }) => name).sort()).toEqual(counted.sort());
  for (const { total, largest } of rows) {
    expect(total).toBeGreaterThanOrEqual(1000);
    expect(largest).toBeLessThanOrEqual(300); // A range of pages holds somewhat more or less than a batch.
  }
  await client.query("DROP FUNCTION log_deleted CASCADE; DROP TABLE deleted");
});

/** Blocks the deletion at a row of a table until the returned function is called. */
async function blockAt(table: string): Promise<() => Promise<void>> {
  const blocker = await connect(database.url);
  await blocker.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
  return () => blocker.end();
}

const waiting = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE%'`;
const deletionWaits = () =>
  expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 60_000 }).toBe(1);

test.each(["chatbots", "deliveries"])(
  "continues if it is run again after the process was killed at %s",
  async (table) => {
    const { gone, kept } = await twoOrganizations();
    const others = await rowsByTable(kept.id);
    const unblock = await blockAt(table);
    const deletion = deleteOrganization(db, gone.id, by).catch((error: unknown) => error);
    await deletionWaits();
    await client.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS found`);
    expect(await deletion).toSatisfy(isDatabaseUnavailable);
    await unblock();
    expect(Object.fromEntries(await rowsLeft(gone.id))).toMatchObject({ [table]: expect.any(Number) });

    await deleteOrganization(db, gone.id, by);
    expect(await rowsLeft(gone.id)).toEqual([["audit_log", 1]]);
    expect(await rowsByTable(kept.id)).toEqual(others);
  },
);

test("also deletes rows that are written while it runs", async () => {
  const { gone } = await twoOrganizations();
  const unblock = await blockAt("deliveries");
  const deletion = deleteOrganization(db, gone.id, by);
  await deletionWaits();
  const organizationId = gone.id;
  await expect(db.ticket.create({ data: { organizationId, subject: "Late" } })).rejects.toThrow(
    "Foreign key",
  );
  await unblock();
  await deletion;
  expect(await rowsLeft(gone.id)).toEqual([["audit_log", 1]]);
});

test("continues if a partition of the delivery log is dropped at the same time", async () => {
  const { gone } = await twoOrganizations();
  await client.query("SELECT parley_add_log_days('delivery_attempts', '2020-01-01', 1)");
  const unblock = await blockAt("chatbots");
  const deletion = deleteOrganization(db, gone.id, by);
  await deletionWaits();
  await client.query("SELECT parley_drop_log_days('delivery_attempts', '2020-01-02')");
  await unblock();
  await deletion;
  expect(await rowsLeft(gone.id)).toEqual([["audit_log", 1]]);
});

test("prevents new users, clients and plans of the organization while it runs", async () => {
  const { gone } = await twoOrganizations();
  const unblock = await blockAt("chatbots");
  const deletion = deleteOrganization(db, gone.id, by);
  await deletionWaits();
  const organizationId = gone.id;
  const user = {
    organizationId,
    email: "new@umbrella.example",
    name: "New",
    password: "correct horse battery",
    isAdmin: false,
  };
  const app = { organizationId, name: "New", redirectUris: ["https://new.example/"], isPublic: false };
  const none = `No organization ${organizationId} exists.`;
  await expect(createUser(db, user, by)).rejects.toThrow(none);
  await expect(createClient(db, app, by)).rejects.toThrow(none);
  await expect(setPlan(db, organizationId, "pro", by)).rejects.toThrow(none);
  await unblock();
  await deletion;
});

test("notifies workers of the subscriptions, and the API of the grants", async () => {
  const { gone } = await twoOrganizations();
  const { id: subscription } = await db.subscription.findFirstOrThrow({ where: { organizationId: gone.id } });
  const { id: grantId } = await db.oAuthGrant.findFirstOrThrow({ where: { organizationId: gone.id } });
  await db.oAuthToken.createMany({
    data: Array.from({ length: 20 }, (_, token) => ({
      tokenHash: hashToken(`token ${token}`),
      kind: "access",
      grantId,
      expiresAt: new Date(Date.now() + 3_600_000),
    })),
  });
  const payloads: string[] = [];
  client.on("notification", ({ payload }) => payloads.push(payload ?? ""));
  await client.query("LISTEN parley_webhooks; LISTEN parley_token_cache");
  await deleteOrganization(db, gone.id, by);
  await client.query("SELECT 1");
  expect(payloads[0]).toBe(`organization ${gone.id}`);
  expect(JSON.parse(payloads[1] ?? "")).toEqual({ kind: "changed", subscription });
  expect(payloads.length).toBeLessThan(10); // Not one for each token.
});
