import { randomBytes } from "node:crypto";
import { createDatabase, createPool, type Database } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { createPublisher, createSecretBox, createSigningSecret } from "@parley/webhooks";
import { leadCreated, type Receiver, startReceiver } from "@parley/webhooks/testing";
import type { Pool } from "pg";
import { type WorkerConfig, workerConfig } from "../config.ts";
import { buildWorker, type Worker } from "../worker.ts";

/** Test database with an organization, and configurable workers. */
export interface WorkerFixture {
  db: Database;
  pool: Pool;
  databaseUrl: string;
  organizationId: string;
  /** In base64. */
  encryptionKey: string;
  /** Starts a worker, which stops with the fixture at the latest. */
  startWorker(overrides?: Partial<Record<keyof WorkerConfig, string>>): Promise<Worker>;
  /** Starts a fake receiver, which closes with the fixture. */
  startReceiver(response?: Receiver["respond"]): Promise<Receiver>;
  subscribe(targetUrl: string): Promise<{ id: string; secret: string }>;
  publish(times: number): Promise<void>;
  close(): Promise<void>;
}

export async function startWorkerFixture(): Promise<WorkerFixture> {
  const database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 4 });
  const pool = createPool(database.url, { poolSize: 4 });
  const encryptionKey = randomBytes(32).toString("base64");
  const publisher = createPublisher(db, { warn() {} });
  const { id: organizationId } = await db.organization.create({ data: { name: "Acme", plan: "pro" } });
  const ends: (() => Promise<void>)[] = [];
  return {
    db,
    pool,
    databaseUrl: database.url,
    organizationId,
    encryptionKey,
    async startWorker(overrides = {}) {
      const config = {
        DATABASE_URL: database.url,
        PARLEY_ENCRYPTION_KEY: encryptionKey,
        WEBHOOKS_ALLOW_LOOPBACK: "true",
        LOG_LEVEL: "silent",
      };
      const worker = await buildWorker(workerConfig.parse({ ...config, ...overrides }));
      let stopped: Promise<void> | undefined;
      const stop = () => (stopped ??= worker.stop());
      ends.unshift(stop);
      return { ...worker, stop };
    },
    async startReceiver(response) {
      const receiver = await startReceiver(response);
      ends.push(() => receiver.close());
      return receiver;
    },
    async subscribe(targetUrl) {
      const secret = createSigningSecret();
      const encrypted = createSecretBox(Buffer.from(encryptionKey, "base64")).encrypt(secret, organizationId);
      const types = { organizationId, eventTypes: ["lead.created"] };
      const { id } = await db.subscription.create({
        data: { ...types, targetUrl, secret: encrypted, queue: { create: {} } },
      });
      return { id, secret };
    },
    async publish(times) {
      for (let i = 0; i < times; i += 1) {
        await publisher.change(organizationId, async ({ publish }) => publish(leadCreated(null)));
      }
    },
    async close() {
      for (const end of ends) await end();
      await pool.end();
      await db.$disconnect();
      await database.release();
    },
  };
}
