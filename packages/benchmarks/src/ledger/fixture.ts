import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Bench } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import type { EventPublisher } from "../harness/publisher.ts";
import type { RealWorker } from "../harness/real-worker.ts";
import type { Receiver } from "../harness/receiver.ts";
import { createVariables, type Subscriber, seedSubscriptions, withClient } from "../harness/seed.ts";
import { installLedger } from "./balance.ts";
import { type DatabaseProxy, startProxy } from "./proxy.ts";

/** Resources that all rounds share. */
export interface Environment {
  bench: Bench;
  /** Connects without the proxy. */
  databaseUrl: string;
  proxy: DatabaseProxy;
  receiver: Child<Receiver>;
  receiverUrl: string;
}

/** The resources that the faults of a round affect. */
export interface Fixture extends Environment {
  publisher: Child<EventPublisher>;
  /** Running workers by the name that the database knows. */
  workers: Map<string, Child<RealWorker>>;
  /** Adds a worker. */
  startWorker(): Promise<void>;
  organizationIds: string[];
  /** Subscriptions whose receiver always accepts. */
  steady: string[];
  /** Milliseconds until other workers had taken over the leases of a killed one. */
  takeOvers: number[];
  /** Adds organizations with a subscription to messages for each behaviour. @returns their IDs */
  addOrganizations(behaviours: string[][]): Promise<string[]>;
}

const organizations = 4;

export async function prepareEnvironment(bench: Bench): Promise<Environment> {
  const databaseUrl = await bench.startDatabase();
  await withClient(databaseUrl, async (client) => {
    await installLedger(client);
    await client.query(movableClock);
  });
  const receiver = bench.start<Receiver>("harness/receiver.ts");
  const receiverUrl = await receiver.call("start");
  return { bench, databaseUrl, proxy: await startProxy(databaseUrl), receiver, receiverUrl };
}

/**
 * Creates organizations in an empty database, and starts workers.
 *
 * @param behaviours of the receivers of each organization's subscriptions, see `harness/receiver.ts`. With `/ordered`, the subscription
 *   receives the events of each record in order
 */
export async function createFixture(
  environment: Environment,
  behaviours: string[],
  workerCount: number,
): Promise<Fixture> {
  const { bench, databaseUrl, proxy, receiver, receiverUrl } = environment;
  const variables = createVariables(databaseUrl);
  const subscribers = await withClient(databaseUrl, async (client) => {
    await client.query(
      "TRUNCATE organizations, events, deliveries, delivery_attempts, skipped_events, written, subscription_routes CASCADE",
    );
    return subscribe(client, Array<string[]>(organizations).fill(behaviours));
  });

  async function subscribe(client: Client, all: string[][]): Promise<Subscriber[]> {
    const urls = all.map((some) => some.map((behaviour) => `${receiverUrl}/${behaviour}`));
    const seeded = await seedSubscriptions(client, variables, urls);
    await client.query(
      `UPDATE subscriptions SET event_types = '{conversation.message_received}',
         ordering = CASE WHEN target_url LIKE '%/ordered' THEN 'record' END
       WHERE id = ANY ($1)`,
      [seeded.map(({ subscriptionId }) => subscriptionId)],
    );
    return seeded;
  }

  await moveDatabaseClock(databaseUrl, "0");
  await receiver.call("take");
  const publisher = bench.start<EventPublisher>("harness/publisher.ts");
  await publisher.call("connect", withMovableClock(databaseUrl));

  const workers: Fixture["workers"] = new Map();
  let started = 0;
  async function startWorker(): Promise<void> {
    started += 1;
    const name = `worker-${started}`;
    const url = new URL(withMovableClock(proxy.url));
    url.searchParams.set("application_name", name);
    const worker = bench.start<RealWorker>("harness/real-worker.ts");
    const faster = { DELIVERY_TIMEOUT_MS: "2000", DELIVERY_BACKOFF: "0,0,1", DELIVERY_MAX_FAILURES: "8" };
    await retried(() => worker.call("start", { ...variables, ...faster, DATABASE_URL: url.href }));
    workers.set(name, worker);
  }
  await Promise.all(Array.from({ length: workerCount }, startWorker));
  return {
    ...environment,
    publisher,
    workers,
    startWorker,
    organizationIds: organizationsOf(subscribers),
    steady: subscribers
      .filter(({ targetUrl }) => targetUrl.endsWith("/steady"))
      .map(({ subscriptionId }) => subscriptionId),
    takeOvers: [],
    async addOrganizations(all) {
      return organizationsOf(await withClient(databaseUrl, (client) => subscribe(client, all)));
    },
  };
}

function organizationsOf(subscribers: Subscriber[]): string[] {
  return [...new Set(subscribers.map(({ organizationId }) => organizationId))];
}

/** Tries again for 5 s: the database may be recovering from a fault. */
export async function retried<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(250);
    }
  }
}

/** Functions that PostgreSQL finds before its built-in ones in connections of `withMovableClock`. Defaults of columns keep the true time. */
const movableClock = `
  CREATE SCHEMA moved;
  CREATE TABLE moved.clock (ahead interval NOT NULL);
  INSERT INTO moved.clock VALUES ('0');
  CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM moved.clock';
  CREATE FUNCTION moved.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT pg_catalog.now() + ahead FROM moved.clock'`;

function withMovableClock(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-c search_path=moved,public,pg_catalog");
  return url.href;
}

/** @param ahead of the machine's clock, for example `1 hour` or `-5 seconds` */
export async function moveDatabaseClock(databaseUrl: string, ahead: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query("UPDATE moved.clock SET ahead = $1::interval", [ahead]),
  );
}
