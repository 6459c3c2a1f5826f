import { randomBytes } from "node:crypto";
import { type Line, startProxy } from "../faults/proxy.ts";
import type { EventPublisher } from "../faults/publisher.ts";
import type { FaultyReceiver } from "../faults/receiver.ts";
import type { Bench } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import { seedSubscriptions } from "../harness/seed-subscriptions.ts";
import { withClient } from "../harness/with-client.ts";
import { installLedger } from "./balance.ts";
import { installClock, moveDatabaseClock, withMovableClock } from "./database-clock.ts";
import { Fleet } from "./fleet.ts";

/** What faults happen to. */
export interface Scene {
  bench: Bench;
  /** Without the proxy between. */
  databaseUrl: string;
  proxy: Line;
  receiver: Child<FaultyReceiver>;
  publisher: Child<EventPublisher>;
  fleet: Fleet;
  organizationIds: string[];
  /** Subscriptions whose receiver always accepts. */
  steady: string[];
  /** Milliseconds until others had taken over what a killed worker had leased. */
  takeOvers: number[];
}

/** What lasts over all rounds. */
export type Stage = Pick<Scene, "bench" | "databaseUrl" | "proxy" | "receiver"> & { receiverUrl: string };

const organizations = 4;

export async function prepareStage(bench: Bench): Promise<Stage> {
  const databaseUrl = await bench.startDatabase();
  await withClient(databaseUrl, async (client) => {
    await installLedger(client);
    await installClock(client);
  });
  const receiver = bench.start<FaultyReceiver>("faults/receiver.ts");
  const receiverUrl = await receiver.call("start");
  return { bench, databaseUrl, proxy: await startProxy(databaseUrl), receiver, receiverUrl };
}

/**
 * An empty database with four organizations, and workers that wait for their events.
 *
 * @param behaviours of the receivers of each organization's subscriptions, see `faults/receiver.ts`
 */
export async function setScene(stage: Stage, behaviours: string[], workers: number): Promise<Scene> {
  const { bench, databaseUrl, proxy, receiver, receiverUrl } = stage;
  await withClient(databaseUrl, (client) =>
    client.query(
      "TRUNCATE organizations, events, deliveries, delivery_attempts, written, subscription_routes CASCADE",
    ),
  );
  await moveDatabaseClock(databaseUrl, "0");
  await receiver.call("take");
  const encryptionKey = randomBytes(32).toString("base64");
  const urls = behaviours.map((behaviour) => `${receiverUrl}/${behaviour}`);
  const subscribers = await seedSubscriptions(databaseUrl, encryptionKey, Array(organizations).fill(urls));
  const publisher = bench.start<EventPublisher>("faults/publisher.ts");
  await publisher.call("connect", withMovableClock(databaseUrl));
  const fleet = new Fleet(bench, {
    DATABASE_URL: withMovableClock(proxy.url),
    PARLEY_ENCRYPTION_KEY: encryptionKey,
    WEBHOOKS_ALLOW_LOOPBACK: "true",
    DELIVERY_TIMEOUT_MS: "2000",
    DELIVERY_PAUSES: "0,0,1",
    DELIVERY_MAX_FAILURES: "8",
  });
  await Promise.all(Array.from({ length: workers }, () => fleet.add()));
  const steady = subscribers.filter((_, i) => behaviours[i % behaviours.length] === "steady");
  return {
    bench,
    databaseUrl,
    proxy,
    receiver,
    publisher,
    fleet,
    organizationIds: [...new Set(subscribers.map(({ organizationId }) => organizationId))],
    steady: steady.map(({ subscriptionId }) => subscriptionId),
    takeOvers: [],
  };
}
