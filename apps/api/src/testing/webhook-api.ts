import { randomBytes } from "node:crypto";
import type { Schemas } from "@parley/contract";
import { createPool, type Database } from "@parley/database";
import {
  createHttpClient,
  createPublisher,
  createSecretBox,
  type Repeated,
  runBackfills,
  type SecretBox,
  startBackfills,
  startWorker,
  type WorkerOptions,
} from "@parley/webhooks";
import { type Receiver, soon, startReceiver, workerOptions } from "@parley/webhooks/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import type { ApiConfig } from "../config.ts";
import { as, startApi, type TestApi } from "./api-server.ts";
import { createTenant, type Tenant } from "./factories.ts";

/** API server with delivery workers that share its encryption key. */
export interface WebhookApi extends TestApi {
  secretBox: SecretBox;
  /** Offset of the workers' clock in milliseconds. */
  clock: { ahead: number };
  /** Starts a worker, which also creates the deliveries of gaps and redeliveries. */
  startWorker(options?: Partial<WorkerOptions>): Promise<void>;
  /** Creates these deliveries once. */
  backfill(): Promise<void>;
  /** Stops all started workers. Call it after each test. */
  stopWorkers(): Promise<void>;
  /** Starts a fake receiver, which closes with the API. */
  startReceiver(response?: Receiver["respond"]): Promise<Receiver>;
}

export async function startWebhookApi(
  overrides: Partial<Record<keyof ApiConfig, string>> = {},
): Promise<WebhookApi> {
  const key = randomBytes(32);
  const api = await startApi({ PARLEY_ENCRYPTION_KEY: key.toString("base64"), ...overrides });
  const pool = createPool(api.databaseUrl, { poolSize: 4 });
  const secretBox = createSecretBox(key);
  const client = createHttpClient({ connectTimeoutMs: 1_000, allowLoopback: true });
  const clock = { ahead: 0 };
  const workers: Repeated[] = [];
  const log = { info() {}, warn() {}, error() {} };
  const backfills = {
    records: api.db,
    publisher: createPublisher(api.db, log),
    maxPending: 0,
    log,
    everyMs: 50,
  };
  const ends: (() => Promise<void>)[] = [];
  return {
    ...api,
    secretBox,
    clock,
    async startWorker(options = {}) {
      const common = { ...workerOptions(api.databaseUrl, clock), db: pool, client, secretBox };
      const worker = await startWorker({ ...common, timeoutMs: 10_000, ...options });
      workers.push(worker, startBackfills(backfills));
    },
    backfill: () => runBackfills(backfills),
    async stopWorkers() {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      clock.ahead = 0;
    },
    async startReceiver(response) {
      const receiver = await startReceiver(response);
      ends.push(() => receiver.close());
      return receiver;
    },
    async close() {
      for (const end of ends) await end();
      await client.destroy();
      await pool.end();
      await api.close();
    },
  };
}

/** API client of a tenant, for webhooks. */
export interface Client {
  tenant: Tenant;
  call: ReturnType<typeof as>;
  /** Sends a request; returns the body of a success and throws otherwise. */
  take<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Sends a POST with an `Idempotency-Key`. */
  post(path: string, body: object | undefined, key: string): Promise<Response>;
  subscribe(targetUrl: string, options?: object): Promise<{ id: string; secret: string }>;
  subscription(id: string): Promise<Schemas["Subscription"]>;
  createLeads(count: number): Promise<void>;
}

export async function createClient(api: TestApi): Promise<Client> {
  const tenant = await createTenant(api.db);
  const call = as(api, tenant);
  async function take<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await call(method, path, body);
    if (!response.ok)
      throw new Error(`${method} ${path} responded ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  }
  return {
    tenant,
    call,
    take,
    post: (path, body, key) =>
      api.fetch(`${api.url}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${tenant.token}`,
          "idempotency-key": key,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    async subscribe(target_url, options = {}) {
      const wanted = { target_url, event_types: ["lead.created"], ...options };
      return (
        await take<{ data: { id: string; secret: string } }>("POST", "/api/v1/webhooks/subscribe", wanted)
      ).data;
    },
    async subscription(id) {
      return (await take<{ data: Schemas["Subscription"] }>("GET", `/api/v1/webhooks/${id}`)).data;
    },
    async createLeads(count) {
      for (let i = 0; i < count; i += 1) {
        await take("POST", "/api/v1/leads", { chatbot_id: tenant.chatbotId, contact: { name: `Lead ${i}` } });
      }
    },
  };
}

/** Starts a server before the tests of a file, and stops it after them. Each test has another client. Workers stop after each test. */
export function useWebhookApi(overrides?: Parameters<typeof startWebhookApi>[0]) {
  const api = {} as WebhookApi;
  const client = {} as Client;
  beforeAll(async () => {
    Object.assign(api, await startWebhookApi(overrides));
  });
  beforeEach(async () => {
    Object.assign(client, await createClient(api));
  });
  afterEach(() => api.stopWorkers());
  afterAll(() => api.close());
  return { api, client };
}

/** Returns the IDs of the received events, in order. */
export function eventIds({ received }: Receiver): string[] {
  return received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
}

/** Waits until one statement waits for a lock in the database. */
export async function lockIsWaitedFor(db: Database): Promise<void> {
  await vi.waitFor(async () => {
    const waiting = await db.$queryRaw<object[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(waiting).toHaveLength(1);
  }, soon);
}
