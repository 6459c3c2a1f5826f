import {
  connect,
  createDatabase,
  createPool,
  type Database,
  databaseAddress,
  unencryptedWarnings,
} from "@parley/database";
import { startErasures } from "@parley/erasure";
import { type Monitoring, startMonitoring } from "@parley/monitoring";
import type { Tracing } from "@parley/monitoring/tracing";
import {
  circuitPolicy,
  configuredSecretBox,
  createHttpClient,
  createPublisher,
  startBackfills,
  startNotices,
  startWorker,
  type WorkerOptions,
} from "@parley/webhooks";
import type { Pool } from "pg";
import { pino } from "pino";
import type { Registry } from "prom-client";
import type { WorkerConfig } from "./config.ts";
import { startJobs } from "./jobs/start-jobs.ts";
import { startReminders } from "./jobs/start-reminders.ts";
import type { DeliveryMetrics } from "./metrics/delivery-metrics.ts";

export interface Worker {
  /** Address of `/metrics` and the health checks; null without METRICS_PORT. */
  metricsUrl: string | null;
  /** Returns the reason if the worker does not deliver; null if it does. */
  problem(): string | null;
  /** Finishes attempts in flight and closes every connection. */
  stop(): Promise<void>;
}

/** Parts that the worker shares with other programs in the same process, and times. */
interface SharedParts {
  /** Prisma client, which stays connected when the worker stops. Default: the worker creates its own. */
  db?: Database;
  /** Traces of the process. Default: none. */
  tracing?: Tracing | undefined;
  /** Metrics and health checks of the process. Default: the worker starts its own. */
  monitoring?: Monitoring;
  /** Times of the delivery worker in milliseconds. Default: see `startWorker`. */
  intervals?: WorkerOptions["intervals"];
}

/** Starts a worker: deliveries, the operator's notices, scheduled jobs, metrics and health checks. */
export async function buildWorker(config: WorkerConfig, shared: SharedParts = {}): Promise<Worker> {
  const notice = noticeTarget(config);
  const log = pino({ level: config.LOG_LEVEL, name: "worker" });
  const { DELIVERY_TIMEOUT_MS: timeoutMs } = config;
  const address = databaseAddress(config);
  for (const warning of unencryptedWarnings(address)) log.warn(warning);
  const { url, directUrl, pooler } = address;
  const db = createPool(url, { poolSize: config.DATABASE_POOL_SIZE, pooler });
  const records = shared.db ?? createDatabase(url, { poolSize: 2, pooler });
  const client = createHttpClient({
    connectTimeoutMs: config.DELIVERY_CONNECT_TIMEOUT_MS,
    allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK,
    allowedRanges: config.WEBHOOKS_ALLOW_ADDRESSES,
  });
  const monitoring = shared.monitoring ?? (await startMonitoring(config));
  const metrics = monitoring.registry ? await addMetrics(monitoring.registry, db) : undefined;
  const jobFailed = (job: string) => metrics?.jobFailed(job);
  const secretBox = configuredSecretBox(config);
  let problem = (): string | null => "starting";
  monitoring.addCheck(() => problem());
  const publisher = createPublisher(records, log, shared.tracing);
  const jobs = startJobs({
    db,
    log,
    directUrl,
    secretBox,
    logDays: config.DELIVERY_LOG_DAYS,
    requestLogDays: config.REQUEST_LOG_DAYS,
    auditLogDays: config.AUDIT_LOG_DAYS,
    recordRetention: {
      leads: config.LEAD_RETENTION_DAYS,
      conversations: config.CONVERSATION_RETENTION_DAYS,
      tickets: config.TICKET_RETENTION_DAYS,
      meetings: config.MEETING_RETENTION_DAYS,
      tool_runs: config.TOOL_RUN_RETENTION_DAYS,
    },
    maxPending: config.MAX_PENDING_DELIVERIES,
    maxEvents: config.MAX_STORED_EVENTS,
    notices: notice !== null,
    observer: metrics?.observer,
    jobFailed,
  });
  const reminders = startReminders(publisher, records, config.MEETING_REMINDER_MINUTES, log, () =>
    jobFailed("meeting-reminders"),
  );
  const backfills = startBackfills({
    records,
    publisher,
    maxPending: config.MAX_PENDING_DELIVERIES,
    log,
    failed: () => jobFailed("backfills"),
  });
  const erasures = startErasures({
    db,
    connect: () => connect(directUrl, { queryTimeoutMs: 10_000 }),
    records,
    secretBox,
    log,
    failed: () => jobFailed("erasures"),
  });
  const notices =
    notice && startNotices({ db, log, timeoutMs, failed: () => jobFailed("notices"), ...notice });
  const deliveries = await startWorker({
    db,
    client,
    log,
    timeoutMs,
    observer: metrics?.observer,
    tracing: shared.tracing,
    intervals: shared.intervals ?? {},
    connect: () => connect(directUrl),
    secretBox,
    circuitPolicy: circuitPolicy(config),
    maxAttempts: config.DELIVERY_MAX_ATTEMPTS,
    maxInFlight: config.DELIVERY_MAX_IN_FLIGHT,
    maxInFlightPerSubscription: config.DELIVERY_MAX_IN_FLIGHT_PER_SUBSCRIPTION,
    notices: notice !== null,
  });
  problem = () => deliveries.problem();
  return {
    metricsUrl: monitoring.url,
    problem,
    async stop() {
      const running = [deliveries, reminders, backfills, erasures, jobs, ...(notices ? [notices] : [])];
      await Promise.all(running.map((part) => part.stop()));
      if (!shared.monitoring) await monitoring.stop();
      await client.destroy();
      await db.end();
      if (!shared.db) await records.$disconnect();
    },
  };
}

function noticeTarget({
  NOTICE_URL: url,
  NOTICE_SECRET: secret,
}: WorkerConfig): { url: string; secret: string } | null {
  return url === undefined || secret === undefined ? null : { url, secret };
}

async function addMetrics(registry: Registry, db: Pool): Promise<DeliveryMetrics> {
  const { createDeliveryMetrics } = await import("./metrics/delivery-metrics.ts"); // Loaded here because it needs 15 MB.
  return createDeliveryMetrics(registry, db);
}
