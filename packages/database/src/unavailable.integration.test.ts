import { type RunningPostgres, startPostgres } from "@parley/embedded-postgres";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, createDatabase, createPool } from "./client.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

const dataDir = makeTestFolder();
let server: RunningPostgres;
beforeAll(async () => {
  server = await startPostgres({ dataDir, durable: false });
});
afterAll(() => server.stop());

/** Returns the reason of a rejected promise. */
async function failure(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}

const unavailable = (work: PromiseLike<unknown>) => failure(work).then(isDatabaseUnavailable);

describe("isDatabaseUnavailable is true", () => {
  it("while the pool is exhausted", async () => {
    const limits = { poolSize: 1, connectTimeoutMs: 2_500 };
    const [db, pool] = [createDatabase(server.url, limits), createPool(server.url, limits)];
    const client = await pool.connect();
    const taken = Promise.withResolvers<void>();
    const given = Promise.withResolvers<void>();
    const busy = db.$transaction(
      () => {
        taken.resolve();
        return given.promise;
      },
      { timeout: 60_000 },
    );
    await taken.promise;

    const waiting = [
      unavailable(db.$queryRaw`SELECT 1`),
      unavailable(db.$transaction([db.$queryRaw`SELECT 1`])),
      unavailable(db.$transaction((tx) => tx.$queryRaw`SELECT 1`)),
      unavailable(db.$transaction((tx) => tx.$queryRaw`SELECT 1`, { maxWait: 100 })),
      unavailable(pool.query("SELECT 1")),
    ];
    expect(await Promise.all(waiting)).toEqual([true, true, true, true, true]);
    given.resolve();
    client.release();
    await busy;
    await Promise.all([db.$disconnect(), pool.end()]);
  });

  it("while the server is stopped", async () => {
    const { url } = server;
    const db = createDatabase(url, { poolSize: 5 });
    const pool = createPool(url);
    const running = [
      unavailable(db.$queryRaw`SELECT pg_sleep(30)::text`),
      unavailable(pool.query("SELECT pg_sleep(30)")),
      unavailable(db.$transaction((tx) => tx.$queryRaw`SELECT pg_sleep(30)::text`)),
    ];
    const sleeping = () => db.$queryRaw`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
    await expect.poll(sleeping, { timeout: 60_000 }).toHaveLength(running.length);
    await server.stop();
    expect(await Promise.all(running)).toEqual([true, true, true]);

    expect(await unavailable(db.$queryRaw`SELECT 1`)).toBe(true);
    expect(await unavailable(db.$transaction((tx) => tx.$queryRaw`SELECT 1`))).toBe(true);
    expect(await unavailable(pool.query("SELECT 1"))).toBe(true);
    expect(await unavailable(connect(url))).toBe(true);

    server = await startPostgres({ dataDir, durable: false, port: Number(new URL(url).port) });
    expect(await db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await Promise.all([db.$disconnect(), pool.end()]);
  });

  it("if the host has no address", async () => {
    expect(await unavailable(connect("postgresql://nobody:none@nowhere.invalid/none"))).toBe(true);
  });
});

describe("isDatabaseUnavailable is false", () => {
  it("for an invalid statement, password or database, and for other errors", async () => {
    const db = createDatabase(server.url);
    expect(await unavailable(db.$queryRaw`SELECT 1/0`)).toBe(false);
    await db.$disconnect();
    expect(await unavailable(connect(server.url.replace(/:[^:@]+@/, ":wrong@")))).toBe(false);
    expect(await unavailable(connect(server.url.replace(/postgres$/, "missing")))).toBe(false);
    for (const value of [undefined, null, "ECONNREFUSED", new Error("no"), { code: 1 }]) {
      expect(isDatabaseUnavailable(value)).toBe(false);
    }
  });
});
