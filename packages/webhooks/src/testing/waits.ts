import { connect } from "@parley/database";
import { expect, vi } from "vitest";
import type { WorkerOptions } from "../index.ts";
import type { DeliveryFixture } from "./delivery-fixture.ts";

/** How long tests wait for what happens by itself. */
export const soon = { timeout: 10_000, interval: 10 };

/** Waits until the log holds so many attempts. */
export async function attemptsReach({ db }: Pick<DeliveryFixture, "db">, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await db.deliveryAttempt.count()).toBe(count), soon);
}

/** A subscription with its queue. */
export function readSubscription({ db }: Pick<DeliveryFixture, "db">, id: string) {
  return db.subscription.findUniqueOrThrow({ where: { id }, include: { queue: true } });
}

/** Waits until a subscription's row holds these values. */
export async function subscriptionBecomes(
  fixture: Pick<DeliveryFixture, "db">,
  id: string,
  values: Partial<Awaited<ReturnType<typeof readSubscription>>>,
): Promise<void> {
  await vi.waitFor(async () => expect(await readSubscription(fixture, id)).toMatchObject(values), soon);
}

/** Lets time pass for the workers, and has them look at once for what is due then. */
export async function pass({ db, clock }: Pick<DeliveryFixture, "db" | "clock">, ms: number): Promise<void> {
  clock.ahead += ms;
  await db.$executeRaw`SELECT pg_notify('parley_webhooks', '{"kind":"pending","subscriptions":"all"}')`;
}

/** A worker's connection, and a wait until an announcement of a kind came over it. */
export function hearing(
  databaseUrl: string,
  kind: "pending" | "changed",
): { connect: WorkerOptions["connect"]; heard: () => Promise<void> } {
  const arrived = Promise.withResolvers<void>();
  return {
    connect: async () => {
      const client = await connect(databaseUrl);
      client.on("notification", ({ payload }) => {
        // What the worker does about it, it does within this turn of the event loop.
        if (payload?.includes(`"kind":"${kind}"`)) setImmediate(() => arrived.resolve());
      });
      return client;
    },
    heard: () => arrived.promise,
  };
}
