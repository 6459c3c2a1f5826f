import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runChange, visibleUntil } from "./changes.ts";
import { createDatabase, type Database, type Transaction } from "./client.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

const organizationId = "01928c5e-7a10-7c44-8d21-0b6de2f0a001";
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 4 });
  await db.$executeRaw`CREATE TABLE notes (text text PRIMARY KEY)`;
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE notes`;
});
afterAll(async () => {
  await db.$disconnect();
  await database.release();
});

const note = (tx: Transaction, text: string) => tx.$executeRaw`INSERT INTO notes VALUES (${text})`;

async function notes(): Promise<string[]> {
  const rows = await db.$queryRaw<{ text: string }[]>`SELECT text FROM notes ORDER BY text`;
  return rows.map(({ text }) => text);
}

/** Returns whether a promise rejects because the database is unavailable or too slow. */
async function failsAsUnavailable(promise: Promise<unknown>): Promise<boolean> {
  try {
    await promise;
  } catch (error) {
    if (isDatabaseUnavailable(error)) return true;
    throw error;
  }
  return false;
}

describe("a change", () => {
  it("commits with the time of the database", async () => {
    const [{ before }] = await db.$queryRaw<[{ before: Date }]>`SELECT clock_timestamp() AS before`;
    const time = await runChange(db, organizationId, async (tx, now) => {
      await note(tx, "made");
      return now;
    });
    expect(time.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(time.getTime()).toBeLessThan(before.getTime() + 60_000);
    expect(await notes()).toEqual(["made"]);
  });

  it("commits nothing if it throws", async () => {
    const change = runChange(db, organizationId, async (tx) => {
      await note(tx, "made");
      throw new Error("not this time");
    });
    await expect(change).rejects.toThrow("not this time");
    expect(await notes()).toEqual([]);
  });

  it("commits nothing if its connection is lost, and the next change uses another", async () => {
    const change = runChange(db, organizationId, async (tx) => {
      await note(tx, "made");
      const [{ pid }] = await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
      await db.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
      await note(tx, "behind");
    });
    expect(await failsAsUnavailable(change)).toBe(true);
    expect(await notes()).toEqual([]);
    await runChange(db, organizationId, (tx) => note(tx, "next"));
    expect(await notes()).toEqual(["next"]);
  });

  it("runs concurrently with others of the organization", async () => {
    await runChange(db, organizationId, async (tx) => {
      await runChange(db, organizationId, (other) => note(other, "inner"));
      expect(await notes()).toEqual(["inner"]);
      await note(tx, "outer");
    });
    expect(await notes()).toEqual(["inner", "outer"]);
  });
});

describe("a change that takes too long", () => {
  /** Has one connection, so that consecutive changes use the same. */
  let one: Database;
  beforeEach(() => {
    one = createDatabase(database.url, { poolSize: 1 });
  });
  afterEach(() => one.$disconnect());

  it("is ended by PostgreSQL, commits nothing, and does not affect the next", async () => {
    const change = runChange(
      one,
      organizationId,
      async (tx) => {
        await note(tx, "made");
        await sleep(300);
        await note(tx, "late");
      },
      { timeoutMs: 100 },
    );
    const next = runChange(one, organizationId, (tx) => note(tx, "next"));
    expect(await failsAsUnavailable(change)).toBe(true);
    await next;
    expect(await notes()).toEqual(["next"]);
  });

  it("rolls back the whole nested write", async () => {
    const { id } = await db.organization.create({ data: { name: "Acme", plan: "pro" } });
    await db.$executeRaw`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(0.4); RETURN NEW; END $$`;
    await db.$executeRaw`CREATE TRIGGER slow BEFORE UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION slow()`;
    const data = { name: "Other", chatbots: { create: { name: "left over", model: "any" } } };
    const change = runChange(one, id, (tx) => tx.organization.update({ where: { id }, data }), {
      timeoutMs: 100,
    });
    const next = runChange(one, id, (tx) => note(tx, "next"));
    expect(await failsAsUnavailable(change)).toBe(true);
    await next;
    expect([await notes(), await db.chatbot.count()]).toEqual([["next"], 0]);
  });
});

describe("visibleUntil", () => {
  /** Starts a change that writes a note, and commits when `finish` is called. */
  async function startChange(organization = organizationId) {
    const begun = Promise.withResolvers<Date>();
    const finished = Promise.withResolvers<void>();
    const change = runChange(db, organization, async (tx, now) => {
      await note(tx, "written");
      begun.resolve(now);
      await finished.promise;
    });
    const time = await begun.promise;
    return {
      time,
      async finish() {
        finished.resolve();
        await change;
      },
    };
  }

  it("is not after a running change, and does not wait for it", async () => {
    const change = await startChange();
    const until = await visibleUntil(db, organizationId);
    expect(new Date(until).getTime()).toBeLessThanOrEqual(change.time.getTime());
    await change.finish();
    expect(new Date(await visibleUntil(db, organizationId)).getTime()).toBeGreaterThan(change.time.getTime());
  });

  it("does not depend on changes of other organizations", async () => {
    const change = await startChange("01928c5e-7a10-7c44-8d21-0b6de2f0a002");
    await sleep(5);
    expect(new Date(await visibleUntil(db, organizationId)).getTime()).toBeGreaterThan(change.time.getTime());
    await change.finish();
  });

  it("delays no change", async () => {
    const polls = Array.from({ length: 50 }, () => visibleUntil(db, organizationId));
    const change = await startChange();
    await change.finish();
    await Promise.all(polls);
    const { rows } = await db.$queryRaw<{ held: number }[]>`
      SELECT count(*)::int AS held FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.then(
      (rows) => ({ rows }),
    );
    expect(rows).toEqual([{ held: 0 }]);
  });

  it("throws an error if the role cannot see the other sessions", async () => {
    await db.$executeRaw`CREATE ROLE blind LOGIN PASSWORD 'blind'`;
    const url = new URL(database.url);
    url.username = "blind";
    url.password = "blind";
    const blind = createDatabase(url.href, { poolSize: 1 });
    const change = await startChange();
    await expect(visibleUntil(blind, organizationId)).rejects.toThrow(
      "must connect to PostgreSQL as one role",
    );
    await change.finish();
    await blind.$disconnect();
    await db.$executeRaw`DROP ROLE blind`;
  });
});
