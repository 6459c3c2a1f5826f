import { sendReminders } from "@parley/api/reminders";
import type { Database } from "@parley/database";
import { createPublisher, maintainDeliveryLog, removeOrphanedDeliveries } from "@parley/webhooks";
import type { Pool } from "pg";
import { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { forgetAuditEntries } from "./forget-audit-entries.ts";
import { forgetCredentials } from "./forget-credentials.ts";
import { forgetIdempotencyKeys } from "./forget-idempotency-keys.ts";

export interface JobOptions {
  db: Pool;
  records: Database;
  databaseUrl: string;
  log: Logger;
  /** Days that the delivery log is kept. */
  logDays: number;
  /** Days that the audit log is kept. */
  auditLogDays: number;
  /** How long before a meeting starts its reminder is sent. */
  reminderMinutes: number;
}

interface Job {
  name: string;
  /** Cron, UTC. */
  schedule: string;
  /** How soon after its time it begins, at the latest. */
  pollSeconds?: number;
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
  {
    name: "meeting-reminders",
    schedule: "* * * * *",
    pollSeconds: 5,
    atStart: true,
    run: ({ records, reminderMinutes }) => sendReminders(records, createPublisher(records), reminderMinutes),
  },
  { name: "orphaned-deliveries", schedule: "47 3 * * *", run: ({ db }) => removeOrphanedDeliveries(db) },
  { name: "idempotency-keys", schedule: "27 * * * *", run: ({ db }) => forgetIdempotencyKeys(db) },
  { name: "expired-credentials", schedule: "37 * * * *", run: ({ db }) => forgetCredentials(db) },
  {
    name: "audit-log",
    schedule: "57 3 * * *",
    run: ({ db, auditLogDays }) => forgetAuditEntries(db, auditLogDays),
  },
];

/** Runs the scheduled jobs; with several workers each run happens once. */
export async function startJobs(options: JobOptions): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, log } = options;
  for (const job of jobs) if (job.atStart) await job.run(options);
  const boss = new PgBoss({ connectionString: databaseUrl, max: 2, application_name: "parley-jobs" });
  boss.on("error", (error) => log.error({ err: error }, "the job scheduler"));
  await boss.start();
  for (const job of jobs) {
    const { name, schedule, pollSeconds = 30 } = job;
    await boss.createQueue(name);
    await boss.schedule(name, schedule);
    await boss.work(name, { pollingIntervalSeconds: pollSeconds }, async () => {
      await job.run(options);
      log.info({ job: name }, "a scheduled job is done");
    });
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}
