import { randomBytes } from "node:crypto";
import { connect, createDatabase, createPool, type Database } from "@parley/database";
import { createTestDatabase, type TestDatabase } from "@parley/database/testing";
import type { Pool } from "pg";
import type { Dispatcher } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { z } from "zod";
import {
  circuitPolicy,
  createHttpClient,
  createPublisher,
  createRedelivery,
  createSecretBox,
  createSigningSecret,
  type DeliveryWorker,
  deliveryVariables,
  lockSubscription,
  type Publisher,
  resumeSubscription,
  runBackfills,
  type SecretBox,
  startWorker,
  type WorkerOptions,
} from "../index.ts";
import { leadCreated } from "./factories.ts";
import { type Receiver, startReceiver, thanking } from "./receiver.ts";

const silent = { info() {}, warn() {}, error() {} };

/** Circuit breaker policy with the default configuration. */
export const defaultPolicy = circuitPolicy(z.object(deliveryVariables).parse({}));

export interface DeliveryFixture {
  db: Database;
  /** Connection pool for workers. */
  pool: Pool;
  databaseUrl: string;
  publisher: Publisher;
  organizationId: string;
  /** Offset of the workers' clock in milliseconds. Increasing it lets backoffs end. */
  clock: { ahead: number };
  subscribe(targetUrl: string, options?: Partial<Subscribe>): Promise<{ id: string; secret: string }>;
  /** Publishes `lead.created` n times, each in a separate change. */
  publish(times: number, chatbotId?: string | null): Promise<void>;
  /** Starts another fake receiver. It closes after the test. */
  startReceiver(respond?: Receiver["respond"]): Promise<Receiver>;
  /** Starts a worker. It stops after the test. */
  startWorker(options?: Partial<WorkerOptions>): Promise<DeliveryWorker>;
  /** Creates the deliveries of gaps and redeliveries, as a worker does every second. @param maxPending default: no limit */
  backfill(maxPending?: number): Promise<void>;
  /** Resumes a subscription. @returns number of events in the gap that is filled */
  resume(id: string, fillGap: boolean): Promise<number>;
  /** Requests the redelivery of all delivered events, and creates the deliveries. @returns their number */
  redeliverAll(id: string): Promise<number>;
  /** Encrypts the subscriptions' secrets. */
  secretBox: SecretBox;
  /** Closes the receivers and stops the workers. */
  stop(): Promise<void>;
}

interface Subscribe {
  eventTypes: string[];
  chatbotId: string | null;
  status: string;
  organizationId: string;
  ordering: "record";
  rateLimit: number;
}

/**
 * Registers hooks that give each test a fixture with an organization in an empty database, and a fake receiver. The file's tests use one
 * database and one Prisma client, whose start takes 100 ms.
 *
 * @param respond response of the receiver, unless a test sets another one; default: 200
 */
export function useDeliveryFixture(respond = thanking): { fixture: DeliveryFixture; receiver: Receiver } {
  const fixture = {} as DeliveryFixture;
  const receiver = {} as Receiver;
  let connections: Connections;
  beforeAll(async () => {
    connections = await openConnections();
  });
  beforeEach(async () => {
    Object.assign(fixture, await createFixture(connections));
    const started = await fixture.startReceiver((...request) => receiver.respond(...request));
    Object.assign(receiver, started, { respond });
  });
  afterEach(async () => {
    await fixture.stop();
    await connections.database.empty();
  });
  afterAll(async () => {
    await connections.client.destroy();
    await connections.pool.end();
    await connections.db.$disconnect();
    await connections.database.release();
  });
  return { fixture, receiver };
}

interface Connections {
  database: TestDatabase;
  db: Database;
  pool: Pool;
  client: Dispatcher;
}

async function openConnections(): Promise<Connections> {
  const database = await createTestDatabase();
  return {
    database,
    db: createDatabase(database.url, { poolSize: 8, connectTimeoutMs: 60_000 }),
    pool: createPool(database.url, { poolSize: 4, connectTimeoutMs: 60_000 }),
    client: createHttpClient({ connectTimeoutMs: 60_000, allowLoopback: true }),
  };
}

async function createFixture({ database, db, pool, client }: Connections): Promise<DeliveryFixture> {
  const secretBox = createSecretBox(randomBytes(32));
  const publisher = createPublisher(db, { warn() {} });
  const organization = await db.organization.create({ data: { name: "Acme", plan: "pro" } });
  const clock = { ahead: 0 };
  const receivers: Receiver[] = [];
  const workers: DeliveryWorker[] = [];
  const backfill = (maxPending = 0) => runBackfills({ records: db, publisher, maxPending, log: silent });

  return {
    db,
    pool,
    databaseUrl: database.url,
    publisher,
    organizationId: organization.id,
    clock,
    secretBox,
    async subscribe(targetUrl, options = {}) {
      const secret = createSigningSecret();
      const organizationId = options.organizationId ?? organization.id;
      const { id } = await db.subscription.create({
        data: {
          eventTypes: ["lead.created"],
          ...options,
          organizationId,
          targetUrl,
          secret: secretBox.encrypt(secret, organizationId),
          queue: { create: {} },
        },
      });
      return { id, secret };
    },
    async publish(times, chatbotId = null) {
      for (let i = 0; i < times; i += 1) {
        await publisher.change(organization.id, async ({ publish }) => publish(leadCreated(chatbotId)));
      }
    },
    async startReceiver(respond) {
      const receiver = await startReceiver(respond);
      receivers.push(receiver);
      return receiver;
    },
    async startWorker(options = {}) {
      const defaults = { ...workerOptions(database.url, clock), db: pool, client, secretBox };
      const intervals = { ...defaults.intervals, ...options.intervals };
      const worker = await startWorker({ ...defaults, ...options, intervals });
      workers.push(worker);
      return worker;
    },
    async redeliverAll(subscriptionId) {
      const redelivery = await publisher.change(organization.id, ({ tx, now: until }) =>
        createRedelivery(tx, {
          organizationId: organization.id,
          subscriptionId,
          status: "delivered",
          eventType: null,
          since: new Date(0),
          until,
        }),
      );
      await backfill();
      return (await db.redelivery.findUniqueOrThrow({ where: { id: redelivery?.id ?? "" } })).deliveries;
    },
    backfill,
    async resume(id, fillGap) {
      const { gapEvents } = await publisher.change(
        organization.id,
        async (change) => {
          const subscription = await lockSubscription(change.tx, organization.id, id);
          if (!subscription) throw new Error("there is no such subscription");
          return resumeSubscription(change, subscription, fillGap);
        },
        { exclusive: !fillGap },
      );
      return gapEvents;
    },
    async stop() {
      await Promise.all(receivers.map((receiver) => receiver.close())); // Ends the attempts that the workers wait for.
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

/** Returns the options that workers of tests share. */
export function workerOptions(
  databaseUrl: string,
  clock: DeliveryFixture["clock"],
): Omit<WorkerOptions, "db" | "client" | "secretBox"> {
  return {
    connect: () => connect(databaseUrl),
    circuitPolicy: defaultPolicy,
    maxAttempts: 5,
    maxInFlight: 128,
    maxInFlightPerSubscription: 8,
    timeoutMs: 60_000, // Longer than a busy machine delays a response.
    intervals: { lookMs: 100, reopenMs: 50 },
    clock: () => Date.now() + clock.ahead,
    log: silent,
    notices: false,
  };
}
