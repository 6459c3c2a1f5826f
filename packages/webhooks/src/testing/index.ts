import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, createDatabase, createPool, type Database } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import type { Pool } from "pg";
import { expect, vi } from "vitest";
import { z } from "zod";
import {
  circuitPolicy,
  createHttpClient,
  createPublisher,
  createSecretBox,
  createSigningSecret,
  type DeliveryWorker,
  deliveryVariables,
  type NewEvent,
  type Publisher,
  type SecretBox,
  startWorker,
  type WorkerOptions,
} from "../index.ts";

/** The policy of a worker without configuration. */
export const defaultCircuitPolicy = circuitPolicy(z.object(deliveryVariables).parse({}));

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Decides the answer; 200 unless it is set. */
  answer: (response: ServerResponse, received: Received) => void;
  close(): Promise<void>;
}

/** A plain HTTP server that keeps what it was sent. */
export async function startReceiver(answer?: Receiver["answer"]): Promise<Receiver> {
  const receiver: Receiver = {
    url: "",
    received: [],
    answer: answer ?? ((response) => response.end("thanks")),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const received = { headers: request.headers, body };
      receiver.received.push(received);
      receiver.answer(response, received);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

export interface Bench {
  db: Database;
  /** What workers have in place of it. */
  pool: Pool;
  databaseUrl: string;
  publisher: Publisher;
  organizationId: string;
  /** How far the workers' clock is ahead, in milliseconds. Moving it makes gates open. */
  clock: { ahead: number };
  subscribe(targetUrl: string, options?: Partial<Subscribe>): Promise<{ id: string; secret: string }>;
  /** Publishes `lead.created` n times. */
  publish(times: number, chatbotId?: string | null): Promise<void>;
  startWorker(options?: Partial<WorkerOptions>): Promise<DeliveryWorker>;
  /** Seals the subscriptions' secrets. */
  secretBox: SecretBox;
  close(): Promise<void>;
}

interface Subscribe {
  eventTypes: string[];
  chatbotId: string | null;
  status: string;
  organizationId: string;
}

/** A database of its own, an organization, and what it takes to publish and deliver. */
export async function startBench(): Promise<Bench> {
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
          secret: secretBox.seal(secret, organizationId),
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
      await database.drop();
    },
  };
}

/** Makes a subscription with many deliveries of one event due, of an organization of its own unless one is given. */
export async function subscribeWithBacklog(
  bench: Bench,
  url: string,
  deliveries: number,
  of?: string,
): Promise<string> {
  const data = { name: "Behind", plan: "pro" };
  const organizationId = of ?? (await bench.db.organization.create({ data })).id;
  const { id } = await bench.subscribe(url, { organizationId });
  await bench.db.$executeRaw`
    WITH event AS (
      INSERT INTO events (id, organization_id, type, body, created_at)
      VALUES (uuidv7(), ${organizationId}::uuid, 'lead.created', '{}', now()) RETURNING id
    )
    INSERT INTO deliveries (organization_id, subscription_id, event_id)
    SELECT ${organizationId}::uuid, ${id}::uuid, event.id FROM event, generate_series(1, ${deliveries}::int)`;
  return id;
}

/** What workers of tests have in common. */
export function workerOptions(
  databaseUrl: string,
  clock: Bench["clock"],
): Omit<WorkerOptions, "db" | "client" | "secretBox"> {
  return {
    connect: () => connect(databaseUrl),
    circuitPolicy: defaultCircuitPolicy,
    maxAttempts: 5,
    maxInFlight: 128,
    maxInFlightPerSubscription: 8,
    timeoutMs: 500,
    clock: () => Date.now() + clock.ahead,
    log: { info() {}, warn() {}, error() {} },
    notices: false,
  };
}

export function leadCreated(chatbotId: string | null): NewEvent {
  const now = new Date().toISOString();
  return {
    type: "lead.created",
    chatbotId,
    data: {
      id: "01928c5e-7a10-7c44-8d21-0b6de2f0a911",
      type: "lead",
      attributes: {
        contact: { name: "Zoë 🦊", email: "zoe@example.com", phone: null, company: null },
        chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
        status: "new",
        score: 5,
        qualification: {},
        source: null,
        created_at: now,
        updated_at: now,
        qualified_at: null,
        converted_at: null,
      },
    },
  };
}

/** How long tests wait for what happens by itself. */
export const soon = { timeout: 10_000, interval: 10 };

/** Waits until the log holds so many attempts. */
export async function attemptsReach({ db }: Pick<Bench, "db">, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await db.deliveryAttempt.count()).toBe(count), soon);
}

/** A subscription with its queue. */
export function readSubscription({ db }: Pick<Bench, "db">, id: string) {
  return db.subscription.findUniqueOrThrow({ where: { id }, include: { queue: true } });
}

/** Waits until a subscription's row holds these values. */
export async function subscriptionBecomes(
  bench: Pick<Bench, "db">,
  id: string,
  values: Partial<Awaited<ReturnType<typeof readSubscription>>>,
): Promise<void> {
  await vi.waitFor(async () => expect(await readSubscription(bench, id)).toMatchObject(values), soon);
}

/** Lets time pass for the workers, and has them look at once for what is due then. */
export async function pass({ db, clock }: Pick<Bench, "db" | "clock">, ms: number): Promise<void> {
  clock.ahead += ms;
  await db.$executeRaw`SELECT pg_notify('parley_webhooks', '{"kind":"pending","subscriptions":"all"}')`;
}

/** Answers with a status and nothing else. */
export function answering(status: number, headers: Record<string, string> = {}): Receiver["answer"] {
  return (response) => response.writeHead(status, headers).end();
}

/** Keeps requests waiting; `release` answers those that wait, and each later one at once. */
export function holding(): { answer: Receiver["answer"]; release: (answer: Receiver["answer"]) => void } {
  const waiting: Parameters<Receiver["answer"]>[] = [];
  let decided: Receiver["answer"] | undefined;
  return {
    answer: (...request) => (decided ? decided(...request) : waiting.push(request)),
    release(answer) {
      decided = answer;
      for (const request of waiting.splice(0)) answer(...request);
    },
  };
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
