import { maintainDeliveryLog, removeOldEvents, type SecretBox } from "@parley/webhooks";
import type { Pool } from "pg";
import { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { changeEncryptionKey } from "./change-encryption-key.ts";
import { forgetAuditEntries } from "./forget-audit-entries.ts";
import { forgetCredentials } from "./forget-credentials.ts";
import { forgetIdempotencyKeys } from "./forget-idempotency-keys.ts";
import { removeOrphanedDeliveries } from "./remove-orphaned-deliveries.ts";

interface JobOptions {
  db: Pool;
  databaseUrl: string;
  log: Logger;
  secretBox: SecretBox;
  /** Days that the delivery log and its events are kept. */
  logDays: number;
  /** Days that the audit log is kept. */
  auditLogDays: number;
  /** Receives the name of a job whose run failed. */
  jobFailed: (job: string) => void;
}

interface Job {
  name: string;
  /** Cron, UTC. */
  schedule: string;
  /** Also done before the worker begins: what was due while nobody ran. */
  atStart?: boolean;
  run(options: JobOptions): Promise<unknown>;
}

const jobs: Job[] = [
  {
    name: "delivery-log-days",
    schedule: "17 * * * *",
    atStart: true,
    run: ({ db, logDays }) => maintainDeliveryLog(db, logDays),
  },
  { name: "old-events", schedule: "37 * * * *", run: ({ db, logDays }) => removeOldEvents(db, logDays) },
  { name: "encryption-key", schedule: "*/10 * * * *", run: changeEncryptionKey },
  { name: "orphaned-deliveries", schedule: "47 * * * *", run: ({ db }) => removeOrphanedDeliveries(db) },
  { name: "idempotency-keys", schedule: "27 * * * *", run: ({ db }) => forgetIdempotencyKeys(db) },
  { name: "expired-credentials", schedule: "37 * * * *", run: ({ db }) => forgetCredentials(db) },
  {
    name: "audit-log",
    schedule: "57 3 * * *",
    run: ({ db, auditLogDays }) => forgetAuditEntries(db, auditLogDays),
  },
];

/** The names of all jobs, with those that the worker runs by timers. */
export const jobNames = [...jobs.map(({ name }) => name), "meeting-reminders", "notices"];

/** Runs the scheduled jobs; with several workers each run happens once. */
export async function startJobs(options: JobOptions): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, log } = options;
  for (const job of jobs) if (job.atStart) await job.run(options);
  const boss = new PgBoss({ connectionString: databaseUrl, max: 2, application_name: "parley-jobs" });
  boss.on("error", (error) => log.error({ err: error }, "job scheduler failed; retrying"));
  await boss.start();
  for (const job of jobs) {
    const { name, schedule } = job;
    await boss.createQueue(name);
    await boss.schedule(name, schedule);
    await boss.work(name, { pollingIntervalSeconds: 30 }, async () => {
      try {
        await job.run(options);
      } catch (error) {
        options.jobFailed(name);
        log.error({ err: error, job: name }, "scheduled job failed; it runs again at its next time");
        throw error;
      }
      log.info({ job: name }, "scheduled job finished");
    });
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}
