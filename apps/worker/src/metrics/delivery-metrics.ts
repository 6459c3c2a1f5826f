import { type DeliveryObserver, stepNames } from "@parley/webhooks";
import type { Pool } from "pg";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { jobNames } from "../jobs/start-jobs.ts";

interface DeliveryMetrics {
  registry: Registry;
  /** Receives what the delivery worker counts. */
  observer: DeliveryObserver;
  /** Counts a failed run of a scheduled job. */
  jobFailed: (job: string) => void;
}

/** Creates the metrics that operators watch: outcomes, latency, pending deliveries and their age, circuit breakers, faults. */
export function createDeliveryMetrics(db: Pool): DeliveryMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const attempts = new Counter({
    name: "parley_delivery_attempts_total",
    help: "Attempts by outcome: delivered, failed (tried again later), exhausted (given up).",
    labelNames: ["outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "parley_delivery_attempt_duration_seconds",
    help: "Time of one attempt, from sending to the end of the answer.",
    labelNames: ["outcome"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60], // As far as DELIVERY_TIMEOUT_MS goes.
    registers,
  });
  const latency = new Histogram({
    name: "parley_delivery_latency_seconds",
    help: "Time from when a delivery was due first to when it was delivered, with every pause between.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600, 86_400],
    registers,
  });
  const inFlight = new Gauge({
    name: "parley_delivery_attempts_in_flight",
    help: "Attempts of this worker that are on their way.",
    registers,
  });
  const changes = new Counter({
    name: "parley_subscription_changes_total",
    help: "Subscriptions that started to fail, failed, or recovered.",
    labelNames: ["state"],
    registers,
  });
  const stepFailures = new Counter({
    name: "parley_worker_step_failures_total",
    help: "Failures of the worker's database work, by step. Failed steps are retried.",
    labelNames: ["step"],
    registers,
  });
  const isolated = new Counter({
    name: "parley_worker_subscriptions_isolated_total",
    help: "Times that a statement failed because of one subscription, which was then left alone for a minute.",
    registers,
  });
  const dropped = new Counter({
    name: "parley_worker_notifications_dropped_total",
    help: "Malformed notifications that were dropped.",
    registers,
  });
  const jobFailures = new Counter({
    name: "parley_job_failures_total",
    help: "Failed runs of scheduled jobs, by job.",
    labelNames: ["job"],
    registers,
  });
  // Counters start at 0: without it, the first increment would be no increase to `rate`.
  for (const outcome of ["delivered", "failed", "exhausted"]) {
    attempts.inc({ outcome }, 0);
    duration.zero({ outcome });
  }
  for (const state of ["failing", "failed", "recovered"]) changes.inc({ state }, 0);
  for (const job of jobNames) jobFailures.inc({ job }, 0);
  for (const step of stepNames) stepFailures.inc({ step }, 0);
  observeDatabase(db, registers);

  return {
    registry,
    jobFailed: (job) => jobFailures.inc({ job }),
    observer: {
      sending: () => inFlight.inc(),
      attempted({ outcome, durationMs, ageMs }) {
        inFlight.dec();
        attempts.inc({ outcome });
        duration.observe({ outcome }, durationMs / 1000);
        if (outcome === "delivered") latency.observe(ageMs / 1000);
      },
      subscriptionChanged: (state) => changes.inc({ state }),
      stepFailed: (step) => stepFailures.inc({ step }),
      subscriptionIsolated: () => isolated.inc(),
      notificationDropped: () => dropped.inc(),
    },
  };
}

/** Of all workers together; asked for at each scrape. */
function observeDatabase(db: Pool, registers: Registry[]): void {
  // A scrape collects all gauges at once; these two share one answer.
  let asked: Promise<Due> | undefined;
  const readDueOnce = () => {
    asked ??= readDue(db).finally(() => (asked = undefined));
    return asked;
  };
  const gauges = [
    {
      name: "parley_deliveries_due",
      help: "Deliveries of active subscriptions whose time has come.",
      read: async (gauge: Gauge) => gauge.set((await readDueOnce()).due),
    },
    {
      name: "parley_deliveries_oldest_due_seconds",
      help: "How long the oldest of them has been due.",
      read: async (gauge: Gauge) => gauge.set((await readDueOnce()).oldest),
    },
    {
      name: "parley_deliveries_held",
      help: "Deliveries that wait for a failed subscription to be resumed.",
      read: async (gauge: Gauge) => gauge.set(await readNumber(db, held)),
    },
    {
      name: "parley_subscriptions",
      help: "Subscriptions by the state of their circuit breaker: closed (working), open (failing), failed.",
      labelNames: ["circuit"],
      read: async (gauge: Gauge) => {
        const { rows } = await db.query<{ circuit: string; count: number }>(circuits);
        for (const circuit of ["closed", "open", "failed"]) gauge.set({ circuit }, 0);
        for (const { circuit, count } of rows) gauge.set({ circuit }, count);
      },
    },
  ];
  for (const { read, ...gauge } of gauges) {
    new Gauge({
      ...gauge,
      registers,
      async collect() {
        // While the database is away these are left out, and what the worker itself counts is told nevertheless.
        await read(this).catch(() => {
          this.reset(); // Which leaves a 0 where there are no labels.
          this.remove({});
        });
      },
    });
  }
}

const held = `
  SELECT count(*)::float8 AS value FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id WHERE s.status = 'failed'`;
const circuits = `
  SELECT CASE WHEN status = 'failed' THEN 'failed' WHEN failure_count > 0 THEN 'open' ELSE 'closed' END AS circuit,
         count(*)::float8 AS count
  FROM subscriptions GROUP BY 1`;

interface Due {
  due: number;
  oldest: number;
}

async function readDue(db: Pool): Promise<Due> {
  const { rows } = await db.query<Due>(`
    SELECT count(*)::float8 AS due, coalesce(extract(epoch FROM now() - min(d.next_at)), 0)::float8 AS oldest
    FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id
    WHERE s.status = 'active' AND d.next_at <= now()`);
  return rows[0] ?? { due: 0, oldest: 0 };
}

async function readNumber(db: Pool, text: string): Promise<number> {
  const { rows } = await db.query<{ value: number }>(text);
  return rows[0]?.value ?? 0;
}
