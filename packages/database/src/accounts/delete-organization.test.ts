import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../client.ts";
import { seedDemo } from "../seed/demo.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { deleteOrganization } from "./delete-organization.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2 });
  await seedDemo(db);
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

/** Every table that says whose its rows are, whatever the schema will hold by then. */
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

/** A row in each table, also in those that the demo leaves empty. */
async function fillEveryTable(organizationId: string): Promise<void> {
  const chatbot = await db.chatbot.findFirstOrThrow({ where: { organizationId } });
  const user = await db.user.findFirstOrThrow({ where: { organizationId } });
  const message = await db.message.findFirstOrThrow({ where: { organizationId } });
  const { id: chatbotId } = chatbot;
  const { id: messageId, conversationId } = message;
  const at = new Date();
  const own = { organizationId, externalId: "x" };
  await db.oAuthClient.create({ data: { id: "own", name: "Own", redirectUris: [], organizationId } });
  await db.oAuthGrant.create({ data: { organizationId, userId: user.id, clientId: "own", scopes: [] } });
  await db.messageFeedback.create({
    data: { ...own, messageId, conversationId, chatbotId, rating: "positive" },
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
  await db.deliveryAttempt.create({ data: { ...delivery, ...attempt, deliveryId } });
}

test("nothing of a deleted organization is left but the audit log, and nothing of another goes", async () => {
  const [gone, kept] = await db.organization.findMany({ orderBy: { id: "asc" } });
  if (!gone || !kept) throw new Error("the demo has several organizations");
  await fillEveryTable(gone.id);
  const before = await rowsByTable(gone.id);
  expect(Object.entries(before).filter(([name, rows]) => rows === 0 && name !== "audit_log")).toEqual([]);
  const others = await rowsByTable(kept.id);

  await deleteOrganization(db, gone.id, { operator: "root" });
  const left = Object.entries(await rowsByTable(gone.id)).filter(([, rows]) => rows > 0);
  expect(left).toEqual([["audit_log", 1]]);
  expect(await db.subscriptionQueue.count()).toBe(0);
  expect(await rowsByTable(kept.id)).toEqual(others);
});
