import { connect, createDatabase, createPool } from "@parley/database";
import { createHttpClient, createSecretBox, defaultGatePolicy, startWorker } from "@parley/webhooks";
import { pino } from "pino";
import type { WorkerConfig } from "./config.ts";
import { startJobs } from "./jobs/start-jobs.ts";
import { startReminders } from "./jobs/start-reminders.ts";

export interface Worker {
  /** Finishes what is on its way and ends every connection. */
  stop(): Promise<void>;
}

/** Sends the deliveries and runs the scheduled jobs until it is stopped. */
export async function buildWorker(config: WorkerConfig): Promise<Worker> {
  const log = pino({ level: config.LOG_LEVEL, name: "worker" });
  const db = createPool(config.DATABASE_URL, { poolSize: config.DATABASE_POOL_SIZE });
  const records = createDatabase(config.DATABASE_URL, { poolSize: 2 });
  const client = createHttpClient({
    connectTimeoutMs: config.DELIVERY_CONNECT_TIMEOUT_MS,
    allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK,
  });
  const jobs = await startJobs({
    db,
    log,
    databaseUrl: config.DATABASE_URL,
    logDays: config.DELIVERY_LOG_DAYS,
  });
  const reminders = await startReminders(records, config.MEETING_REMINDER_MINUTES, log);
  const deliveries = await startWorker({
    db,
    client,
    log,
    connect: () => connect(config.DATABASE_URL),
    secretBox: createSecretBox(Buffer.from(config.PARLEY_ENCRYPTION_KEY, "base64")),
    gatePolicy: defaultGatePolicy,
    maxAttempts: config.DELIVERY_MAX_ATTEMPTS,
    maxInFlight: config.DELIVERY_MAX_IN_FLIGHT,
    maxInFlightPerSubscription: config.DELIVERY_MAX_IN_FLIGHT_PER_SUBSCRIPTION,
    timeoutMs: config.DELIVERY_TIMEOUT_MS,
    clock: Date.now,
  });
  return {
    async stop() {
      await deliveries.stop();
      await reminders.stop();
      await jobs.stop();
      await client.destroy();
      await db.end();
      await records.$disconnect();
    },
  };
}
