import { connect } from "@parley/database";
import { soon } from "@parley/webhooks/testing";
import { expect, test, vi } from "vitest";
import { startWorkerFixture } from "../src/testing/worker-fixture.ts";

test("schedules and runs the jobs", async () => {
  const fixture = await startWorkerFixture();
  await (await fixture.startScheduledWorker()).stop();
  const schedules = await fixture.db.$queryRaw<
    { name: string; cron: string }[]
  >`SELECT name, cron FROM pgboss.schedule`;
  expect(Object.fromEntries(schedules.map(({ name, cron }) => [name, cron]))).toEqual({
    "audit-log": "57 3 * * *",
    "delivery-log-partitions": "17 * * * *",
    "encryption-key": "*/10 * * * *",
    "expired-credentials": "37 * * * *",
    "idempotency-keys": "27 * * * *",
    "old-events": "37 * * * *",
    "old-records": "52 * * * *",
    "old-subscription-versions": "7 * * * *",
    "orphaned-deliveries": "47 * * * *",
    "pending-deliveries": "* * * * *",
    "record-counts": "* * * * *",
    "request-log": "12 * * * *",
    "skipped-events": "* * * * *",
    "stored-events": "22 * * * *",
  });

  await fixture.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT uuidv7(interval '-31 days'), ${fixture.organizationId}::uuid, 'lead.created', '{}', now() - interval '31 days'`;
  await fixture.db.$executeRaw`INSERT INTO pgboss.job (name) VALUES ('old-events')`; // As the clock does at 37 past.
  await fixture.startWorker();
  await vi.waitFor(async () => expect(await fixture.db.event.count()).toBe(0), soon);
  await fixture.close();
});

test("counts and logs a failed job, and continues", async () => {
  const fixture = await startWorkerFixture();
  await (await fixture.startScheduledWorker()).stop();
  await fixture.db.$executeRaw`ALTER TABLE events RENAME TO moved`;
  // A worker polls for jobs when it starts, and then only every 30 seconds.
  await fixture.db.$executeRaw`INSERT INTO pgboss.job (name) VALUES ('old-events'), ('audit-log')`;
  const { metricsUrl } = await fixture.startWorker({ METRICS_PORT: "0" });
  await vi.waitFor(async () => {
    const states = await fixture.db.$queryRaw`SELECT state::text FROM pgboss.job WHERE name = 'audit-log'`;
    expect(states).toEqual([{ state: "completed" }]);
    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    expect(text).toMatch(/^parley_job_failures_total{job="old-events"} [1-9]/m);
    expect(text).toMatch(/^parley_job_failures_total{job="audit-log"} 0$/m);
  }, soon);
  await fixture.close();
});

test("sends deliveries while another session locks the logs and the scheduler's tables", async () => {
  const fixture = await startWorkerFixture();
  await (await fixture.startScheduledWorker()).stop();
  await fixture.db.$executeRaw`SELECT parley_drop_log_days('delivery_attempts', current_date + 100)`;
  const dump = await connect(fixture.databaseUrl);
  await dump.query("BEGIN; LOCK TABLE delivery_attempts IN ACCESS SHARE MODE");
  await dump.query("LOCK TABLE pgboss.job, pgboss.queue IN EXCLUSIVE MODE"); // As a migration does.
  const receiver = await fixture.startReceiver();
  await fixture.subscribe(receiver.url);
  const worker = await fixture.startWorker();
  await fixture.publish(1);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  expect(worker.problem()).toBeNull();
  await dump.end();
  await fixture.close();
});
