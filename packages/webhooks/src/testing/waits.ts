import { connect } from "@parley/database";
import type { Pool, QueryConfig } from "pg";
import { expect, vi } from "vitest";
import type { WorkerOptions } from "../index.ts";
import type { Notification } from "../notifications.ts";
import type { DeliveryFixture } from "./delivery-fixture.ts";

/** Options of `vi.waitFor` for asynchronous results. */
export const soon = { timeout: 30_000, interval: 10 };

/** Waits until the log has a number of attempts. */
export async function attemptsReach({ db }: Pick<DeliveryFixture, "db">, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await db.deliveryAttempt.count()).toBe(count), soon);
}

/** Returns a subscription with its queue. */
export function readSubscription({ db }: Pick<DeliveryFixture, "db">, id: string) {
  return db.subscription.findUniqueOrThrow({ where: { id }, include: { queue: true } });
}

/** Waits until a subscription's row has these values. */
export async function subscriptionBecomes(
  fixture: Pick<DeliveryFixture, "db">,
  id: string,
  values: Partial<Awaited<ReturnType<typeof readSubscription>>>,
): Promise<void> {
  await vi.waitFor(async () => expect(await readSubscription(fixture, id)).toMatchObject(values), soon);
}

/** Advances the workers' clock, and makes them look for due deliveries immediately. */
export async function advanceClock(
  { db, clock }: Pick<DeliveryFixture, "db" | "clock">,
  ms: number,
): Promise<void> {
  clock.ahead += ms;
  await db.$executeRaw`SELECT pg_notify('parley_webhooks', '{"kind":"pending","subscriptions":"all"}')`;
}

/** Returns a pool for a worker that counts the statements of a name. */
export function countingQueries(pool: Pool, name: string): { db: Pool; count: () => number } {
  let count = 0;
  const query = (config: QueryConfig) => {
    if (config.name === name) count += 1;
    return pool.query(config);
  };
  return { db: { query } as unknown as Pool, count: () => count };
}

/** Returns a `connect` for a worker, and a function that waits until its connection received a notification of a kind. */
export function watchNotifications(
  databaseUrl: string,
  kind: Notification["kind"],
): { connect: WorkerOptions["connect"]; received: () => Promise<void> } {
  const arrived = Promise.withResolvers<void>();
  return {
    connect: async () => {
      const client = await connect(databaseUrl);
      client.on("notification", ({ payload }) => {
        // The worker handles it within this turn of the event loop.
        if (payload?.includes(`"kind":"${kind}"`)) setImmediate(() => arrived.resolve());
      });
      return client;
    },
    received: () => arrived.promise,
  };
}
