import { setTimeout as sleep } from "node:timers/promises";
import { connectionOptions, foldRecordCounts, maintainRequestLog } from "@parley/database";
import {
  type DeliveryObserver,
  limitPendingDeliveries,
  limitSkippedEvents,
  limitStoredEvents,
  maintainDeliveryLog,
  removeOldEvents,
  removeOldVersions,
  type SecretBox,
} from "@parley/webhooks";
import type { Pool } from "pg";
import { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { changeEncryptionKey } from "./change-encryption-key.ts";
import { deleteAuditEntries } from "./delete-audit-entries.ts";
import { deleteExpiredCredentials } from "./delete-expired-credentials.ts";
import { deleteIdempotencyKeys } from "./delete-idempotency-keys.ts";
import { type RecordRetention, removeOldRecords } from "./remove-old-records.ts";
import { removeOrphanedDeliveries } from "./remove-orphaned-deliveries.ts";

interface JobOptions {
  db: Pool;
  /** URL of the database without a connection pooler. */
  directUrl: string;
  log: Logger;
  secretBox: SecretBox;
  /** Retention of the delivery log and its events in days. */
  logDays: number;
  /** Retention of the request log in days; 0 if it is switched off. */
  requestLogDays: number;
  /** Retention of the audit log in days. */
  auditLogDays: number;
  recordRetention: RecordRetention;
  /** Maximum number of pending deliveries of an organization; 0 for no limit. */
  maxPending: number;
  /** Maximum number of stored events of an organization; 0 for no limit. */
  maxEvents: number;
  /** Whether to write notices to the operator. */
  notices: boolean;
  /** Receives events for metrics. */
  observer: DeliveryObserver | undefined;
  /** Receives the name of a job whose run failed. */
  jobFailed: (job: string) => void;
}

interface Job {
  name: string;
  /** Cron expression in UTC. */
  schedule: string;
  /** Whether the job also runs when the worker starts, for runs that were missed. */
  atStart?: boolean;
  run(options: JobOptions): Promise<unknown>;
}

const jobs: Job[] = [
  {
    name: "delivery-log-partitions",
    schedule: "17 * * * *",
    atStart: true,
    run: ({ db, logDays }) => maintainDeliveryLog(db, logDays),
  },
  {
    name: "request-log",
    schedule: "12 * * * *",
    atStart: true,
    run: ({ db, requestLogDays }) => maintainRequestLog(db, requestLogDays),
  },
  { name: "old-events", schedule: "37 * * * *", run: ({ db, logDays }) => removeOldEvents(db, logDays) },
  {
    name: "old-subscription-versions",
    schedule: "7 * * * *",
    run: ({ db, logDays }) => removeOldVersions(db, logDays),
  },
  { name: "record-counts", schedule: "* * * * *", run: ({ db }) => foldRecordCounts(db) },
  { name: "pending-deliveries", schedule: "* * * * *", run: limitPendingDeliveries },
  { name: "skipped-events", schedule: "* * * * *", run: limitSkippedEvents },
  { name: "stored-events", schedule: "22 * * * *", run: limitStoredEvents },
  { name: "encryption-key", schedule: "*/10 * * * *", run: changeEncryptionKey },
  { name: "orphaned-deliveries", schedule: "47 * * * *", run: ({ db }) => removeOrphanedDeliveries(db) },
  {
    name: "old-records",
    schedule: "52 * * * *",
    run: ({ db, recordRetention }) => removeOldRecords(db, recordRetention),
  },
  { name: "idempotency-keys", schedule: "27 * * * *", run: ({ db }) => deleteIdempotencyKeys(db) },
  { name: "expired-credentials", schedule: "37 * * * *", run: ({ db }) => deleteExpiredCredentials(db) },
  {
    name: "audit-log",
    schedule: "57 3 * * *",
    run: ({ db, auditLogDays }) => deleteAuditEntries(db, auditLogDays),
  },
];

/** Jobs that run on timers of the process instead of pg-boss. */
const timers = ["backfills", "erasures", "meeting-reminders", "notices"];
/** Names of the scheduled jobs. */
export const scheduledJobs = jobs.map(({ name }) => name);
/** Names of all jobs. */
export const jobNames = [...scheduledJobs, ...timers];

const retryMs = 5_000;
/** A dump or a migration may lock the scheduler's tables. */
const lockTimeoutMs = 5_000;

/**
 * Starts the scheduled jobs. With several workers, each run is executed by one of them. Nothing waits for the start, because jobs may wait for
 * locks, and deliveries must not. A start that fails is repeated.
 */
export function startJobs(options: JobOptions): { stop(): Promise<void> } {
  const { directUrl, log } = options;
  const stopping = new AbortController();
  const connections = {
    ...connectionOptions(directUrl, { poolSize: 2, queryTimeoutMs: 60_000 }),
    lock_timeout: lockTimeoutMs,
  };
  const boss = new PgBoss({ ...connections, application_name: "parley-jobs" });
  boss.on("error", (error) => log.error({ err: error }, "job scheduler failed; retrying"));

  async function run(job: Job): Promise<void> {
    const { name, schedule } = job;
    try {
      await job.run(options);
    } catch (error) {
      options.jobFailed(name);
      log.error({ err: error, job: name }, "scheduled job failed; retrying at its next scheduled time");
      throw error;
    }
    // Jobs that run every minute usually find nothing to do.
    if (schedule.startsWith("* ")) log.debug({ job: name }, "scheduled job finished");
    else log.info({ job: name }, "scheduled job finished");
  }

  async function start(): Promise<void> {
    await boss.start();
    for (const job of jobs) {
      if (stopping.signal.aborted) return;
      await boss.createQueue(job.name);
      await boss.schedule(job.name, job.schedule);
      await boss.work(job.name, { pollingIntervalSeconds: 30 }, () => run(job));
    }
  }

  async function startWithRetries(): Promise<void> {
    for (const job of jobs) if (job.atStart) await run(job).catch(() => undefined);
    while (!stopping.signal.aborted) {
      try {
        return await start();
      } catch (error) {
        log.error({ err: error }, "job scheduler cannot be started; retrying");
        await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  const started = startWithRetries();
  return {
    async stop() {
      stopping.abort();
      await started;
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
