import { createDatabase, createPool, type Database } from "@parley/database";
import { createPublisher, type Publisher } from "@parley/webhooks";
import type { Pool } from "pg";
import { createdLead, leadCreatedBody } from "../deliveries/body.ts";
import { nowMs } from "../harness/clock.ts";
import { serve } from "../harness/serve.ts";

const connections = 8;
let db: Database;
let pool: Pool;
let publisher: Publisher;

/** @returns how many were done a second */
async function inParallel(
  times: number,
  parallel: number,
  one: (number: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const from = nowMs();
  async function inTurn(): Promise<void> {
    while (next < times) await one(next++);
  }
  await Promise.all(Array.from({ length: parallel }, inTurn));
  return (times / (nowMs() - from)) * 1_000;
}

const insert = `INSERT INTO events (id, organization_id, type, body, created_at)
                VALUES (uuidv7(), $1::uuid, 'lead.created', $2, now())`;

const commands = {
  connect(databaseUrl: string): void {
    db = createDatabase(databaseUrl, { poolSize: connections });
    pool = createPool(databaseUrl, { poolSize: connections });
    publisher = createPublisher(db, console);
  },
  /** Publishes events of the organizations in turn, each in a change of its own, as the API does. */
  publish(
    organizationIds: string[],
    chatbotId: string,
    times: number,
    parallel = connections,
  ): Promise<number> {
    return inParallel(times, parallel, (number) =>
      publisher.change(of(organizationIds, number), async ({ publish }) =>
        publish({ type: "lead.created", chatbotId, data: createdLead(number) }),
      ),
    );
  },
  /** CPU that this process has used so far, in microseconds. */
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** Inserts one row at a time into the table of events, over the connections that `publish` has. */
  insert(organizationIds: string[], times: number): Promise<number> {
    return inParallel(times, connections, (number) =>
      db.$executeRawUnsafe(insert, of(organizationIds, number), leadCreatedBody("", number)),
    );
  },
  /** The same without Prisma, over as many connections. */
  insertPlainly(organizationIds: string[], times: number): Promise<number> {
    return inParallel(times, connections, (number) =>
      pool.query({
        name: "insert",
        text: insert,
        values: [of(organizationIds, number), leadCreatedBody("", number)],
      }),
    );
  },
};

function of(organizationIds: string[], number: number): string {
  return organizationIds[number % organizationIds.length] ?? "";
}

export type MeasuredPublisher = typeof commands;

serve(commands);
