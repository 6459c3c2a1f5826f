import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase, createPool } from "@parley/database";
import { createPublisher, type Publisher } from "@parley/webhooks";
import { cpuSeconds, serve } from "./child.ts";
import { createdLead } from "./lead.ts";
import { addedMessage } from "./message.ts";
import { nowMs } from "./time.ts";

/** An event whose change was committed, as far as the publisher knows. */
export interface Published {
  /** The id of the lead or message in the event. */
  recordId: string;
  organizationId: string;
  /** When the commit was confirmed to the publisher, by `nowMs`. */
  committedAt: number;
}

export interface PublishedList {
  published: Published[];
  /** Records whose change failed, or whose commit was not confirmed. */
  uncertain: string[];
}

const tickMs = 4;
const poolSize = 8;
let publisher: Publisher;
let makeChange: (organizationId: string, data: ReturnType<typeof createdLead>) => Promise<unknown>;
let list: PublishedList;
let publishing: Promise<void> | undefined;
let inProgress = 0;
let stopped = false;

async function publishLead(organizationId: string, number: number): Promise<void> {
  const data = createdLead(number);
  await publishOne(organizationId, data.id, () => makeChange(organizationId, data));
}

/** Adds a message to one of the conversations. As in the API, changes of a conversation wait for each other. */
async function publishMessage(
  organizationId: string,
  number: number,
  conversations: string[],
): Promise<void> {
  const conversationId = conversations[number % conversations.length] ?? "";
  const data = addedMessage(conversationId);
  await publishOne(organizationId, data.id, () =>
    publisher.change(organizationId, async ({ tx, publish }) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${organizationId + conversationId}, 0))`;
      publish({ type: "conversation.message_received", chatbotId: data.attributes.chatbot_id, data });
    }),
  );
}

async function publishOne(
  organizationId: string,
  recordId: string,
  change: () => Promise<unknown>,
): Promise<void> {
  inProgress += 1;
  try {
    await change();
    list.published.push({ recordId, organizationId, committedAt: nowMs() });
  } catch {
    list.uncertain.push(recordId);
  }
  inProgress -= 1;
}

/** Keeps the rate however long changes take: publishes late events as soon as possible. */
async function publishSteadily(
  organizationIds: string[],
  perSecond: number,
  publishNext: (organizationId: string, number: number) => Promise<void>,
): Promise<void> {
  const startedAt = nowMs();
  for (let count = 0; !stopped; ) {
    for (const until = ((nowMs() - startedAt) / 1_000) * perSecond; count < until; count += 1) {
      const organizationId = organizationIds[count % organizationIds.length];
      if (organizationId) void publishNext(organizationId, count);
    }
    await sleep(tickMs);
  }
  while (inProgress > 0) await sleep(tickMs);
}

function begin(): void {
  stopped = false;
  list = { published: [], uncertain: [] };
}

const insert = `INSERT INTO events (id, organization_id, type, body, created_at)
                VALUES (uuidv7(), $1::uuid, 'lead.created', $2, now())`;

const commands = {
  /** Publishes as the API does. */
  connect(databaseUrl: string): void {
    publisher = createPublisher(createDatabase(databaseUrl, { poolSize }), console);
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
  /** Publishes messages with a text of this many bytes, as fast as possible. */
  async publishLarge(organizationId: string, times: number, bytes: number): Promise<void> {
    for (let i = 0; i < times; i += 1) {
      const data = addedMessage(organizationId);
      Object.assign(data.attributes, { content: "x".repeat(bytes) });
      await publisher.change(organizationId, async ({ publish }) =>
        publish({ type: "conversation.message_received", chatbotId: data.attributes.chatbot_id, data }),
      );
    }
  },
  /** Starts to publish new leads of the organizations in turn, each in a separate change. */
  start(organizationIds: string[], perSecond: number): void {
    begin();
    publishing = publishSteadily(organizationIds, perSecond, publishLead);
  },
  /** Like `start`, but publishes messages of these conversations in turn, in each organization. */
  startMessages(organizationIds: string[], perSecond: number, conversations: string[]): void {
    begin();
    publishing = publishSteadily(organizationIds, perSecond, (organizationId, number) =>
      publishMessage(organizationId, Math.floor(number / organizationIds.length), conversations),
    );
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
