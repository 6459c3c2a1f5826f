import { randomBytes } from "node:crypto";
import { connect, createDatabase, createPool, type Database } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import type { Pool } from "pg";
import { z } from "zod";
import {
  circuitPolicy,
  createHttpClient,
  createPublisher,
  createSecretBox,
  createSigningSecret,
  type DeliveryWorker,
  deliveryVariables,
  type Publisher,
  type SecretBox,
  startWorker,
  type WorkerOptions,
} from "../index.ts";
import { leadCreated } from "./factories.ts";

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
  /** Publishes `lead.created` n times. */
  publish(times: number, chatbotId?: string | null): Promise<void>;
  startWorker(options?: Partial<WorkerOptions>): Promise<DeliveryWorker>;
  /** Encrypts the subscriptions' secrets. */
  secretBox: SecretBox;
  close(): Promise<void>;
}

interface Subscribe {
  eventTypes: string[];
  chatbotId: string | null;
  status: string;
  organizationId: string;
  ordering: "record";
  rateLimit: number;
}

/** Starts a fixture with its own database and an organization, for publishing and delivering. */
export async function startDeliveryFixture(): Promise<DeliveryFixture> {
  const database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 8 });
  const pool = createPool(database.url, { poolSize: 4 });
  const secretBox = createSecretBox(randomBytes(32));
  const client = createHttpClient({ connectTimeoutMs: 1_000, allowLoopback: true });
  const publisher = createPublisher(db, { warn() {} });
  const organization = await db.organization.create({ data: { name: "Acme", plan: "pro" } });
  const clock = { ahead: 0 };
  const workers: DeliveryWorker[] = [];

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
    async startWorker(options = {}) {
      const parts = { db: pool, client, secretBox };
      const worker = await startWorker({ ...workerOptions(database.url, clock), ...parts, ...options });
      workers.push(worker);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await client.destroy();
      await pool.end();
      await db.$disconnect();
      await database.release();
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
    timeoutMs: 500,
    clock: () => Date.now() + clock.ahead,
    log: { info() {}, warn() {}, error() {} },
    notices: false,
  };
}
