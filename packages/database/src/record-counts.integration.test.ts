import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, createPool, type Database } from "./client.ts";
import { listRecords } from "./lists/list-records.ts";
import { findWrongCounts, foldRecordCounts, repairCounts } from "./record-counts.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";

let database: TestDatabase;
let db: Database;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 10 });
  pool = createPool(database.url, { poolSize: 2 });
});
afterAll(async () => {
  await pool.end();
  await db.$disconnect();
  await database.release();
});

async function createOrganization() {
  const { id: organizationId } = await db.organization.create({ data: { name: "Acme", plan: "pro" } });
  const chatbots = await Promise.all(
    ["Sales", "Support"].map((name) => db.chatbot.create({ data: { organizationId, name, model: "any" } })),
  );
  return { organizationId, chatbotIds: chatbots.map(({ id }) => id) };
}

/** The total of a list, by its counts. */
async function total(kind: "leads" | "tickets" | "chatbots", filter: Parameters<typeof listRecords>[2]) {
  return (await listRecords(db, kind, filter, { limit: 1, offset: 0 })).total;
}

describe("the total of a list", () => {
  it("is correct for an organization, a chatbot and a status, before and after the changes are added to the counts", async () => {
    const { organizationId, chatbotIds } = await createOrganization();
    const [chatbotId = "", otherId = ""] = chatbotIds;
    await createOrganization();
    await db.lead.createMany({ data: Array.from({ length: 5 }, () => ({ organizationId, chatbotId })) });
    await db.lead.create({ data: { organizationId, chatbotId: otherId, status: "qualified" } });
    await db.lead.updateMany({ where: { organizationId, chatbotId: otherId }, data: { score: 80 } });
    const first = await db.lead.findFirstOrThrow({ where: { chatbotId } });
    await db.lead.update({ where: { id: first.id }, data: { status: "qualified" } });
    await db.ticket.create({ data: { organizationId, subject: "Without a chatbot" } });
    const check = async () => {
      expect(await total("leads", { organizationId })).toBe(6);
      expect(await total("leads", { organizationId, chatbotId })).toBe(5);
      expect(await total("leads", { organizationId, status: "qualified" })).toBe(2);
      expect(await total("leads", { organizationId, chatbotId, status: "new" })).toBe(4);
      expect(await total("tickets", { organizationId })).toBe(1);
      expect(await total("tickets", { organizationId, chatbotId })).toBe(0);
      expect(await total("chatbots", { organizationId })).toBe(2);
    };
    await check();
    expect(await foldRecordCounts(pool)).toBeGreaterThan(0);
    expect(await db.recordCountChange.count()).toBe(0);
    await check();
  });

  it("is correct after a chatbot is deleted", async () => {
    const { organizationId, chatbotIds } = await createOrganization();
    const [chatbotId = ""] = chatbotIds;
    await db.ticket.create({ data: { organizationId, chatbotId, subject: "Kept" } });
    await db.lead.create({ data: { organizationId, chatbotId } });
    await db.chatbot.delete({ where: { id: chatbotId } });
    expect(await total("tickets", { organizationId })).toBe(1);
    expect(await total("leads", { organizationId })).toBe(0);
    expect(await findWrongCounts(db)).toEqual([]);
  });

  it("causes many changes to be added to the counts", async () => {
    const { organizationId, chatbotIds } = await createOrganization();
    const [chatbotId = ""] = chatbotIds;
    await db.$executeRawUnsafe(`DO $$ BEGIN FOR i IN 1..1100 LOOP
      INSERT INTO leads (organization_id, chatbot_id) VALUES ('${organizationId}', '${chatbotId}');
    END LOOP; END $$`);
    expect(await db.recordCountChange.count({ where: { organizationId } })).toBeGreaterThan(1_000);
    expect(await total("leads", { organizationId })).toBe(1_100);
    const left = () => db.recordCountChange.count({ where: { organizationId } });
    await expect.poll(left, { timeout: 60_000 }).toBe(0);
    expect(await total("leads", { organizationId })).toBe(1_100);
  });
});

describe("the total since a time", () => {
  it("is exact with few and with many older records", async () => {
    const { organizationId, chatbotIds } = await createOrganization();
    const [chatbotId = "", otherId = ""] = chatbotIds;
    const start = Date.parse("2026-03-01T09:00:00Z");
    await pool.query(
      `INSERT INTO leads (organization_id, chatbot_id, updated_at)
       SELECT $1, CASE WHEN i % 10 = 0 THEN $2::uuid ELSE $3 END, $4::timestamptz + i * interval '1 ms'
       FROM generate_series(0, 2499) AS i`,
      [organizationId, otherId, chatbotId, new Date(start)],
    );
    for (const [after, expected] of [
      [0, 2_500],
      [10, 2_490],
      [1_000, 1_500],
      [1_001, 1_499],
      [1_499, 1_001],
      [1_500, 1_000],
      [2_499, 1],
      [2_500, 0],
    ] as const) {
      const since = new Date(start + after).toISOString();
      expect(await total("leads", { organizationId, since })).toBe(expected);
    }
    const since = new Date(start + 100).toISOString();
    expect(await total("leads", { organizationId, chatbotId: otherId, since })).toBe(240);
    expect(await total("leads", { organizationId, status: "qualified", since })).toBe(0);
  });
});

describe("a page with a large offset", () => {
  it("has the same records, whether it is read from the beginning or the end", async () => {
    const { organizationId, chatbotIds } = await createOrganization();
    const [chatbotId = ""] = chatbotIds;
    // A third of the records have one time, and are ordered by ID.
    await pool.query(
      `INSERT INTO leads (organization_id, chatbot_id, updated_at)
       SELECT $1, $2, timestamptz '2026-03-01T09:00:00Z' + CASE WHEN i % 3 = 0 THEN 0 ELSE i END * interval '1 ms'
       FROM generate_series(1, 2500) AS i`,
      [organizationId, chatbotId],
    );
    const all = await db.lead.findMany({
      where: { organizationId },
      orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
      select: { id: true },
    });
    for (const offset of [
      999, 1_000, 1_249, 1_250, 1_251, 2_400, 2_450, 2_490, 2_499, 2_500, 2_600, 2_147_483_647,
    ]) {
      const { rows, total } = await listRecords(db, "leads", { organizationId }, { limit: 20, offset });
      expect([total, rows.map(({ id }) => id)]).toEqual([
        2_500,
        all.slice(offset, offset + 20).map(({ id }) => id),
      ]);
    }
  });
});

describe("many concurrent changes", () => {
  it("with rollbacks, deletions and killed connections leave exact counts", async () => {
    const organizations = await Promise.all([createOrganization(), createOrganization()]);
    const random = (most: number) => Math.floor(Math.random() * most);
    const statuses = ["new", "qualified", "converted", "disqualified"];

    async function writer(number: number): Promise<void> {
      for (let turn = 0; turn < 30; turn += 1) {
        const { organizationId, chatbotIds } = organizations[random(2)] ?? organizations[0];
        const chatbotId = chatbotIds[random(2)] ?? "";
        const status = statuses[random(4)] ?? "new";
        const change = db.$transaction(async (tx) => {
          await tx.lead.createMany({
            data: Array.from({ length: 1 + random(3) }, () => ({ organizationId, chatbotId, status })),
          });
          const some = await tx.lead.findMany({ where: { organizationId }, take: 2, skip: random(5) });
          const ids = some.map(({ id }) => id);
          if (random(2) === 0)
            await tx.lead.updateMany({ where: { id: { in: ids } }, data: { status, chatbotId } });
          if (random(3) === 0) await tx.lead.deleteMany({ where: { id: { in: ids } } });
          if (random(4) === 0) throw new Error("rolled back");
          if (random(10) === 0) await tx.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
        });
        await change.catch(() => number); // Rolled back, killed, or deadlocked with another writer.
      }
    }

    /** Compares a total with the records, in one snapshot. */
    async function compare(): Promise<void> {
      for (const { organizationId } of organizations) {
        const difference = await db.$queryRaw<[{ counted: number; records: number }]>`
          SELECT (SELECT count(*)::int FROM leads WHERE organization_id = ${organizationId}::uuid) AS records,
                 (SELECT coalesce(sum(n), 0)::int FROM (
                   SELECT count AS n FROM record_counts WHERE organization_id = ${organizationId}::uuid AND kind = 'leads'
                   UNION ALL SELECT change FROM record_count_changes
                   WHERE organization_id = ${organizationId}::uuid AND kind = 'leads') AS counts) AS counted`;
        expect(difference[0].counted).toBe(difference[0].records);
      }
    }

    let writing = true;
    const writers = Promise.all(Array.from({ length: 8 }, (_, i) => writer(i))).finally(
      () => (writing = false),
    );
    let folded = 0;
    while (writing) {
      await compare();
      folded += await foldRecordCounts(pool);
    }
    await writers;
    expect(folded).toBeGreaterThan(20);
    expect(await findWrongCounts(db)).toEqual([]);
  });
});

describe("wrong counts", () => {
  it("are found and repaired", async () => {
    const { organizationId, chatbotIds } = await createOrganization();
    const [chatbotId = ""] = chatbotIds;
    await db.lead.create({ data: { organizationId, chatbotId } });
    await foldRecordCounts(pool);
    const where = {
      organizationId_kind_chatbotId_status: { organizationId, kind: "leads", chatbotId, status: "new" },
    };
    await db.recordCount.update({ where, data: { count: 7 } });
    const wrong = [{ organizationId, kind: "leads", chatbotId, status: "new", records: 1, count: 7 }];
    expect(await findWrongCounts(db)).toEqual(wrong);
    expect(await repairCounts(db, { operator: "root" })).toEqual(wrong);
    expect(await repairCounts(db, { operator: "root" })).toEqual([]);
    const repairs = await db.auditEntry.findMany({ where: { event: "counts.repaired" } });
    expect(repairs.map(({ details }) => details)).toEqual([{ operator: "root", corrected: 1 }]);
    expect(await findWrongCounts(db)).toEqual([]);
    expect(await total("leads", { organizationId })).toBe(1);
  });

  it("do not remain after TRUNCATE", async () => {
    await db.$executeRaw`TRUNCATE leads CASCADE`;
    expect((await findWrongCounts(db)).filter(({ kind }) => kind === "leads")).toEqual([]);
  });
});
