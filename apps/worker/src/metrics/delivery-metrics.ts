import { observePool } from "@parley/monitoring/pool-metrics";
import { type DeliveryObserver, stepNames } from "@parley/webhooks";
import type { Pool } from "pg";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { jobNames } from "../jobs/start-jobs.ts";

export interface DeliveryMetrics {
  /** Receives the events of the delivery worker. */
  observer: DeliveryObserver;
  /** Counts a failed run of a scheduled job. */
  jobFailed: (job: string) => void;
}

/** Adds the metrics of a worker to a registry: outcomes, latency, pending deliveries and their age, circuit breakers, errors. */
export function createDeliveryMetrics(registry: Registry, db: Pool): DeliveryMetrics {
  const registers = [registry];

  const attempts = new Counter({
    name: "parley_delivery_attempts_total",
    help: "Delivery attempts by outcome: delivered, failed (will be retried), exhausted (will not be retried).",
    labelNames: ["outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "parley_delivery_attempt_duration_seconds",
    help: "Duration of an attempt, from sending the request to the end of the response.",
    labelNames: ["outcome"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60], // Up to the maximum of DELIVERY_TIMEOUT_MS.
    registers,
  });
  const latency = new Histogram({
    name: "parley_delivery_latency_seconds",
    help: "Time from the creation of a delivery to its success, including backoff.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600, 86_400],
    registers,
  });
  const inFlight = new Gauge({
    name: "parley_delivery_attempts_in_flight",
    help: "Attempts of this worker in flight.",
    registers,
  });
  const changes = new Counter({
    name: "parley_subscription_changes_total",
    help: "Subscriptions that started failing, failed or recovered.",
    labelNames: ["state"],
    registers,
  });
  const stepFailures = new Counter({
    name: "parley_worker_step_failures_total",
    help: "Failed steps of the worker's database work, by step. They are retried.",
    labelNames: ["step"],
    registers,
  });
  const isolated = new Counter({
    name: "parley_worker_subscriptions_isolated_total",
    help: "Subscriptions skipped for a minute because their data made a statement fail.",
    registers,
  });
  const dropped = new Counter({
    name: "parley_worker_notifications_dropped_total",
    help: "Malformed notifications dropped.",
    registers,
  });
  const removed = new Counter({
    name: "parley_pending_deliveries_removed_total",
    help: "Pending deliveries that became part of a gap because their organization exceeded MAX_PENDING_DELIVERIES.",
    registers,
  });
  const eventsRemoved = new Counter({
    name: "parley_stored_events_removed_total",
    help: "Events removed before their retention ended because their organization exceeded MAX_STORED_EVENTS.",
    registers,
  });
  const jobFailures = new Counter({
    name: "parley_job_failures_total",
    help: "Failed runs of scheduled jobs, by job.",
    labelNames: ["job"],
    registers,
  });
  // Counters start at 0, so that `rate` includes the first increment.
  for (const outcome of ["delivered", "failed", "exhausted"]) {
    attempts.inc({ outcome }, 0);
    duration.zero({ outcome });
  }
  for (const state of ["failing", "failed", "recovered"]) changes.inc({ state }, 0);
  for (const job of jobNames) jobFailures.inc({ job }, 0);
  for (const step of stepNames) stepFailures.inc({ step }, 0);
  observeDatabase(db, registers);
  observePool(registry, "worker", db);

  return {
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
      pendingRemoved: (count) => removed.inc(count),
      eventsRemoved: (count) => eventsRemoved.inc(count),
    },
  };
}

/** A number is kept if reading it from the database takes longer, for this multiple of its duration. */
const quickReadMs = 100;
const keptFactor = 20;

/** Returns a function that repeats the last result, so that slow reads take at most a twentieth of the time. */
function sparingly<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<Result> | undefined;
  return () => {
    if (last) return last;
    const from = performance.now();
    const reading = read();
    last = reading;
    const forget = () => (last = undefined);
    reading.then(() => {
      const took = performance.now() - from;
      if (took < quickReadMs) forget();
      else setTimeout(forget, keptFactor * took).unref();
    }, forget);
    return reading;
  };
}

/** Adds the gauges that are read from the database when they are scraped. They cover all workers. */
function observeDatabase(db: Pool, registers: Registry[]): void {
  const readDueOnce = sparingly(() => readDue(db)); // For three gauges.
  const readHeld = sparingly(() => readNumber(db, held));
  const gauges = [
    {
      name: "parley_deliveries_due",
      help: "Due deliveries of active subscriptions, including those whose circuit is open.",
      read: async (gauge: Gauge) => gauge.set((await readDueOnce()).due),
    },
    {
      name: "parley_deliveries_oldest_due_seconds",
      help: "Age of the oldest due delivery, since it became due.",
      read: async (gauge: Gauge) => gauge.set((await readDueOnce()).oldest),
    },
    {
      name: "parley_deliveries_oldest_waiting_seconds",
      help: "Age of the oldest due delivery that waits only for a worker: the circuit is closed, without a rate limit or an order.",
      read: async (gauge: Gauge) => gauge.set((await readDueOnce()).oldestWaiting),
    },
    {
      name: "parley_deliveries_held",
      help: "Pending deliveries of failed and disabled subscriptions, which are sent after the subscription is resumed.",
      read: async (gauge: Gauge) => gauge.set(await readHeld()),
    },
    {
      name: "parley_record_count_changes",
      help: "Changes of record counts that are not folded yet.",
      read: async (gauge: Gauge) =>
        gauge.set(await readNumber(db, "SELECT count(*)::float8 AS value FROM record_count_changes")),
    },
    {
      name: "parley_subscriptions",
      help: "Subscriptions by circuit breaker state: closed (working), open (failing, includes half-open), failed (paused).",
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
        // While the database is unavailable, these gauges are left out and the others are still served.
        await read(this).catch(() => {
          this.reset(); // Leaves a 0 for gauges without labels, which remove() deletes.
          this.remove({});
        });
      },
    });
  }
}

const held = `
  SELECT count(*)::float8 AS value FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id WHERE s.status = 'failed' OR NOT s.enabled`;
const circuits = `
  SELECT CASE WHEN status = 'failed' THEN 'failed' WHEN failure_count > 0 THEN 'open' ELSE 'closed' END AS circuit,
         count(*)::float8 AS count
  FROM subscriptions GROUP BY 1`;

interface Due {
  due: number;
  oldest: number;
  oldestWaiting: number;
}

async function readDue(db: Pool): Promise<Due> {
  const { rows } = await db.query<Due>(`
    SELECT count(*)::float8 AS due, coalesce(extract(epoch FROM now() - min(d.next_at)), 0)::float8 AS oldest,
           coalesce(extract(epoch FROM now() - min(d.next_at) FILTER (
             WHERE s.failure_count = 0 AND s.rate_limit IS NULL AND s.ordering IS NULL)), 0)::float8 AS "oldestWaiting"
    FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id
    WHERE s.status = 'active' AND s.enabled AND d.next_at <= now()`);
  return rows[0] ?? { due: 0, oldest: 0, oldestWaiting: 0 };
}

async function readNumber(db: Pool, text: string): Promise<number> {
  const { rows } = await db.query<{ value: number }>(text);
  return rows[0]?.value ?? 0;
}
