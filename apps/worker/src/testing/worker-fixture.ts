import { randomBytes } from "node:crypto";
import { createDatabase, createPool, type Database } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { createPublisher, createSecretBox, createSigningSecret } from "@parley/webhooks";
import { leadCreated, type Receiver, soon, startReceiver } from "@parley/webhooks/testing";
import type { Pool } from "pg";
import { expect, vi } from "vitest";
import { type WorkerConfig, workerConfig } from "../config.ts";
import { scheduledJobs } from "../jobs/start-jobs.ts";
import { buildWorker, type Worker } from "../worker.ts";

/** Test database with an organization, and configurable workers. */
export interface WorkerFixture {
  db: Database;
  pool: Pool;
  databaseUrl: string;
  organizationId: string;
  /** In base64. */
  encryptionKey: string;
  /** Starts a worker, which stops at `reset` or `close` at the latest. */
  startWorker(
    overrides?: Partial<Record<keyof WorkerConfig, string>>,
    parts?: Parameters<typeof buildWorker>[1],
  ): Promise<Worker>;
  /** Starts a worker, and waits until it has created its queues and scheduled all jobs. */
  startScheduledWorker(): Promise<Worker>;
  /** Starts a fake receiver, which closes at `reset` or `close`. */
  startReceiver(response?: Receiver["respond"]): Promise<Receiver>;
  subscribe(targetUrl: string): Promise<{ id: string; secret: string }>;
  publish(times: number): Promise<void>;
  /** Stops workers and receivers, and deletes all rows but the organization. Tables and queues that a worker created stay. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function startWorkerFixture(): Promise<WorkerFixture> {
  const database = await createTestDatabase();
  const db = createDatabase(database.url, { poolSize: 4 });
  const pool = createPool(database.url, { poolSize: 4 });
  const encryptionKey = randomBytes(32).toString("base64");
  const publisher = createPublisher(db, { warn() {} });
  const organization = await db.organization.create({ data: { name: "Acme", plan: "pro" } });
  const organizationId = organization.id;
  const ends: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    for (const end of ends.splice(0)) await end();
  };
  async function startWorker(
    overrides: Partial<Record<keyof WorkerConfig, string>> = {},
    parts: Parameters<typeof buildWorker>[1] = {},
  ): Promise<Worker> {
    const config = {
      DATABASE_URL: database.url,
      PARLEY_ENCRYPTION_KEY: encryptionKey,
      WEBHOOKS_ALLOW_LOOPBACK: "true",
      LOG_LEVEL: "silent",
    };
    const worker = await buildWorker(workerConfig.parse({ ...config, ...overrides }), parts);
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= worker.stop());
    ends.unshift(stop);
    return { ...worker, stop };
  }
  return {
    db,
    pool,
    databaseUrl: database.url,
    organizationId,
    encryptionKey,
    startWorker,
    async startScheduledWorker() {
      const worker = await startWorker();
      await vi.waitFor(async () => {
        const { rows } = await pool.query("SELECT name FROM pgboss.schedule ORDER BY name");
        expect(rows.map(({ name }) => name)).toEqual(scheduledJobs.toSorted());
      }, soon);
      return worker;
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
    async reset() {
      await stopAll();
      await database.empty();
      await pool.query("DO 'BEGIN DELETE FROM pgboss.job; EXCEPTION WHEN undefined_table THEN END'");
      await db.organization.create({ data: organization });
    },
    async close() {
      await stopAll();
      await pool.end();
      await db.$disconnect();
      await database.release();
    },
  };
}
