import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase, createPool } from "@parley/database";
import { createPublisher } from "@parley/webhooks";
import { cpuSeconds, serve } from "./child.ts";
import { createdLead } from "./lead.ts";
import { nowMs } from "./time.ts";

/** An event whose change was committed, as far as the publisher knows. */
export interface Published {
  /** The id of the lead in the event. */
  recordId: string;
  organizationId: string;
  /** When the commit was confirmed to the publisher, by `nowMs`. */
  committedAt: number;
}

export interface PublishedList {
  published: Published[];
  /** Leads whose change failed, or whose commit was not confirmed. */
  uncertain: string[];
}

const tickMs = 4;
const poolSize = 8;
let makeChange: (organizationId: string, data: ReturnType<typeof createdLead>) => Promise<unknown>;
let list: PublishedList;
let publishing: Promise<void> | undefined;
let inProgress = 0;
let stopped = false;

async function publishOne(organizationId: string, number: number): Promise<void> {
  const data = createdLead(number);
  inProgress += 1;
  try {
    await makeChange(organizationId, data);
    list.published.push({ recordId: data.id, organizationId, committedAt: nowMs() });
  } catch {
    list.uncertain.push(data.id);
  }
  inProgress -= 1;
}

/** Keeps the rate however long changes take: publishes late events as soon as possible. */
async function publishSteadily(organizationIds: string[], perSecond: number): Promise<void> {
  const startedAt = nowMs();
  for (let count = 0; !stopped; ) {
    for (const until = ((nowMs() - startedAt) / 1_000) * perSecond; count < until; count += 1) {
      const organizationId = organizationIds[count % organizationIds.length];
      if (organizationId) void publishOne(organizationId, count);
    }
    await sleep(tickMs);
  }
  while (inProgress > 0) await sleep(tickMs);
}

const insert = `INSERT INTO events (id, organization_id, type, body, created_at)
                VALUES (uuidv7(), $1::uuid, 'lead.created', $2, now())`;

const commands = {
  /** Publishes as the API does. */
  connect(databaseUrl: string): void {
    const publisher = createPublisher(createDatabase(databaseUrl, { poolSize }), console);
    makeChange = (organizationId, data) =>
      publisher.change(organizationId, async ({ publish }) =>
        publish({ type: "lead.created", chatbotId: data.attributes.chatbot_id, data }),
      );
  },
  /** Inserts one row into the table of events instead, with Prisma. */
  connectPrisma(databaseUrl: string): void {
    const db = createDatabase(databaseUrl, { poolSize });
    makeChange = (organizationId, data) =>
      db.$executeRawUnsafe(insert, organizationId, JSON.stringify({ data }));
  },
  /** Inserts one row without Prisma. @param channel to which its body is sent afterwards with NOTIFY */
  connectBare(databaseUrl: string, channel?: string): void {
    const pool = createPool(databaseUrl, { poolSize });
    makeChange = async (organizationId, data) => {
      const body = JSON.stringify({ data });
      await pool.query({ name: "insert", text: insert, values: [organizationId, body] });
      if (channel)
        void pool.query({ name: "notify", text: "SELECT pg_notify($1, $2)", values: [channel, body] });
    };
  },
  /** Publishes events as fast as possible. @returns events a second */
  async publish(
    organizationId: string,
    times: number,
    parallel: number,
    chatbot_id?: string,
  ): Promise<number> {
    const startedAt = nowMs();
    let next = 0;
    async function publishInTurn(): Promise<void> {
      while (next < times) await makeChange(organizationId, createdLead(next++, chatbot_id));
    }
    await Promise.all(Array.from({ length: parallel }, publishInTurn));
    return (times / (nowMs() - startedAt)) * 1_000;
  },
  /** Starts to publish events of the organizations in turn, each in a separate change. */
  start(organizationIds: string[], perSecond: number): void {
    stopped = false;
    list = { published: [], uncertain: [] };
    publishing = publishSteadily(organizationIds, perSecond);
  },
  /** Resolves when every change that was begun has ended. */
  async stop(): Promise<PublishedList> {
    stopped = true;
    await publishing;
    return list;
  },
  cpuSeconds,
};

export type EventPublisher = typeof commands;

serve(commands);
