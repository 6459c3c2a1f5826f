import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, type Database, type Transaction } from "./client.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";
import { runTransaction } from "./transaction.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.url, { poolSize: 2 });
  await db.$executeRaw`CREATE TABLE notes (text text PRIMARY KEY)`;
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE notes`;
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const session = { text: "SELECT pg_backend_pid() AS pid, transaction_timestamp()::text AS began" };
const note = (text: string) => ({ text: "INSERT INTO notes VALUES ($1) RETURNING text", values: [text] });
const failing = { text: "SELECT 1 / 0" };

async function notes(): Promise<string[]> {
  const rows = await db.$queryRaw<{ text: string }[]>`SELECT text FROM notes ORDER BY text`;
  return rows.map(({ text }) => text);
}

/** Why it failed, in PostgreSQL's words. */
function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "it did not fail",
    (error: Error) => error.message,
  );
}

describe("statements that are sent past Prisma", () => {
  it("are part of the transaction, those before its first one too", async () => {
    const [before, between] = await runTransaction(db, [note("first"), session], async (tx, [row], send) => {
      await tx.$executeRaw`INSERT INTO notes VALUES ('of Prisma')`;
      const sent = await send(note("sent"));
      expect(sent).toEqual([{ text: "sent" }]);
      return [row, ...(await tx.$queryRawUnsafe<object[]>(session.text))];
    });
    expect(between).toEqual(before);
    expect(await notes()).toEqual(["first", "of Prisma", "sent"]);
  });

  it("need not be waited for", async () => {
    await runTransaction(db, [session], async (tx, _, send) => {
      void send(note("sent"));
      expect(await tx.$queryRaw`SELECT text FROM notes`).toEqual([{ text: "sent" }]);
      void send(note("sent last"));
    });
    expect(await notes()).toEqual(["sent", "sent last"]);
  });

  it("keep to their own transaction, however many there are", async () => {
    const one = (number: number) =>
      runTransaction(db, [session], async (tx, before, send) => {
        void send(note(`note ${number}`));
        expect(await tx.$queryRawUnsafe(session.text)).toEqual(before);
        if (number % 2 === 1) throw new Error("odd");
      });
    await Promise.allSettled(Array.from({ length: 40 }, (_, number) => one(number)));
    expect(await notes()).toHaveLength(20);
  });

  it("leave another transaction that is begun meanwhile alone", async () => {
    await runTransaction(db, [note("outer")], async (_, __, send) => {
      await db.$transaction(async (tx) => void (await tx.$executeRaw`INSERT INTO notes VALUES ('inner')`));
      expect(await notes()).toEqual(["inner"]);
      void send(note("outer, later"));
    });
    expect(await notes()).toEqual(["inner", "outer", "outer, later"]);
  });
});

describe("nothing is committed", () => {
  it("when the callback throws", async () => {
    const changed = runTransaction(db, [note("first")], async (_, __, send) => {
      await send(note("sent"));
      throw new Error("not this time");
    });
    expect(await failure(changed)).toBe("not this time");
    expect(await notes()).toEqual([]);
  });

  it("when a first statement fails", async () => {
    const changed = runTransaction(db, [note("first"), failing], async () => "made");
    expect(await failure(changed)).toBe("division by zero");
    expect(await notes()).toEqual([]);
  });

  it("when a statement fails for which nobody waits, though the callback is content", async () => {
    const changed = runTransaction(db, [note("first")], async (_, __, send) => void send(failing));
    expect(await failure(changed)).toBe("division by zero");
    expect(await notes()).toEqual([]);
  });

  it("and what failed first is told, not what failed for it", async () => {
    const changed = runTransaction(db, [note("first")], async (tx, _, send) => {
      void send(failing);
      await tx.$executeRaw`INSERT INTO notes VALUES ('behind')`;
    });
    expect(await failure(changed)).toBe("division by zero");
    expect(await notes()).toEqual([]);
  });

  it("of what is sent when the transaction is over", async () => {
    let late = Promise.resolve("nothing was sent");
    const changed = runTransaction(
      db,
      [note("first")],
      async (_, __, send) => {
        late = sleep(300).then(() => failure(Promise.resolve().then(() => send(note("late")))));
        await late;
      },
      { timeout: 100 },
    );
    expect(isDatabaseUnavailable(await changed.catch((error: unknown) => error))).toBe(true);
    expect(await late).toBe("the transaction is over");
    await runTransaction(db, [session], async (_, __, send) => void send(note("next")));
    expect(await notes()).toEqual(["next"]);
  });

  it("when the connection is lost, and the next transaction has another", async () => {
    const changed = runTransaction(db, [session], async (_, [row], send) => {
      void send(note("sent"));
      await db.$queryRaw`SELECT pg_terminate_backend(${row?.["pid"]}::int)`;
      await send(note("behind"));
    });
    expect(isDatabaseUnavailable(await changed.catch((error: unknown) => error))).toBe(true);
    expect(await notes()).toEqual([]);
    await runTransaction(db, [note("next")], async () => undefined);
    expect(await notes()).toEqual(["next"]);
  });
});

describe("when Prisma gives a transaction up", () => {
  let one: Database;
  beforeEach(() => {
    one = createDatabase(database.url, { poolSize: 1 });
  });
  afterEach(() => one.$disconnect());
  const outcome = (promise: Promise<unknown>) => promise.catch(isDatabaseUnavailable);

  it("what is sent next tells that it took too long", async () => {
    const changed = runTransaction(
      one,
      [session],
      async (_, __, send) => {
        await sleep(200);
        void send(note("late"));
      },
      { timeout: 100 },
    );
    expect(await outcome(changed)).toBe(true);
  });

  it("before it has begun, nothing is sent for it", async () => {
    await db.$executeRaw`CREATE SEQUENCE begun`;
    const held = one.$transaction(() => sleep(2_500)); // Beyond what Prisma waits for a connection.
    const begun = { text: "SELECT nextval('begun')" };
    expect(await outcome(runTransaction(one, [begun], async () => undefined))).toBe(true);
    await held;
    expect(await one.$queryRaw`SELECT is_called FROM begun`).toEqual([{ is_called: false }]);
  });

  it("what is left of one of its statements goes nowhere", async () => {
    const { id } = await db.organization.create({ data: { name: "Acme", plan: "pro" } });
    await db.$executeRaw`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(0.4); RETURN NEW; END $$`;
    await db.$executeRaw`CREATE TRIGGER slow BEFORE UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION slow()`;
    const data = { name: "Other", chatbots: { create: { name: "left over", model: "any" } } };
    const update = (tx: Transaction) => tx.organization.update({ where: { id }, data });
    const late = outcome(runTransaction(one, [session], update, { timeout: 100 }));
    const next = runTransaction(one, [session], async (_, __, send) => void send(note("next")));
    expect(await late).toBe(true);
    await next;
    expect([await notes(), await db.chatbot.count()]).toEqual([["next"], 0]);
  });
});

it("prepares a statement anew whose first preparation failed", async () => {
  const count = { name: "count-later", text: "SELECT count(*)::int FROM later" };
  const counted = () => runTransaction(db, [session], (_, __, send) => send(count));
  for (let times = 0; times < 4; times += 1) {
    expect(await failure(counted())).toBe('relation "later" does not exist');
  }
  await db.$executeRaw`CREATE TABLE later ()`;
  for (let times = 0; times < 4; times += 1) expect(await counted()).toEqual([{ count: 0 }]);
});
