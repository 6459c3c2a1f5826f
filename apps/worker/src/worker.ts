import { connect, createDatabase, createPool, type Database } from "@parley/database";
import {
  circuitPolicy,
  configuredSecretBox,
  createHttpClient,
  startNotices,
  startWorker,
} from "@parley/webhooks";
import { pino } from "pino";
import type { WorkerConfig } from "./config.ts";
import { startJobs } from "./jobs/start-jobs.ts";
import { startReminders } from "./jobs/start-reminders.ts";
import { createDeliveryMetrics } from "./metrics/delivery-metrics.ts";
import { serveMonitoring } from "./metrics/monitoring-server.ts";

export interface Worker {
  /** Address of `/metrics` and the health checks; null without METRICS_PORT. */
  metricsUrl: string | null;
  /** Returns the reason if the worker does not deliver; null if it does. */
  problem(): string | null;
  /** Finishes attempts in flight and closes every connection. */
  stop(): Promise<void>;
}

/**
 * Starts a worker: deliveries, the operator's notices, scheduled jobs, metrics and health checks.
 *
 * @param shared Prisma client of the process, which stays connected when the worker stops; default: the worker creates its own
 */
export async function buildWorker(config: WorkerConfig, shared?: Database): Promise<Worker> {
  const notice = noticeTarget(config);
  const log = pino({ level: config.LOG_LEVEL, name: "worker" });
  const { DATABASE_URL: databaseUrl, DELIVERY_TIMEOUT_MS: timeoutMs } = config;
  const db = createPool(databaseUrl, { poolSize: config.DATABASE_POOL_SIZE });
  const records = shared ?? createDatabase(databaseUrl, { poolSize: 2 });
  const client = createHttpClient({
    connectTimeoutMs: config.DELIVERY_CONNECT_TIMEOUT_MS,
    allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK,
    allowedRanges: config.WEBHOOKS_ALLOW_ADDRESSES,
  });
  const { observer, registry, jobFailed } = createDeliveryMetrics(db);
  const secretBox = configuredSecretBox(config);
  let problem = (): string | null => "starting";
  const monitoring =
    config.METRICS_PORT === undefined
      ? null
      : await serveMonitoring(
          { registry, problem: () => problem() },
          config.METRICS_HOST,
          config.METRICS_PORT,
        );
  const jobs = await startJobs({
    db,
    log,
    databaseUrl,
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
    jobFailed,
  });
  const reminders = await startReminders(records, config.MEETING_REMINDER_MINUTES, log, () =>
    jobFailed("meeting-reminders"),
  );
  const notices =
    notice && startNotices({ db, log, timeoutMs, failed: () => jobFailed("notices"), ...notice });
  const deliveries = await startWorker({
    db,
    client,
    log,
    timeoutMs,
    observer,
    connect: () => connect(databaseUrl),
    secretBox,
    circuitPolicy: circuitPolicy(config),
    maxAttempts: config.DELIVERY_MAX_ATTEMPTS,
    maxInFlight: config.DELIVERY_MAX_IN_FLIGHT,
    maxInFlightPerSubscription: config.DELIVERY_MAX_IN_FLIGHT_PER_SUBSCRIPTION,
    notices: notice !== null,
  });
  problem = () => deliveries.problem();
  return {
    metricsUrl: monitoring?.url ?? null,
    problem,
    async stop() {
      await Promise.all([deliveries.stop(), reminders.stop(), notices?.stop(), jobs.stop()]);
      await monitoring?.stop();
      await client.destroy();
      await db.end();
      if (!shared) await records.$disconnect();
    },
  };
}

function noticeTarget({
  NOTICE_URL: url,
  NOTICE_SECRET: secret,
}: WorkerConfig): { url: string; secret: string } | null {
  return url === undefined || secret === undefined ? null : { url, secret };
}
