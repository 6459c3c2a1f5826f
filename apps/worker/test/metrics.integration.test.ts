import { startMonitoring } from "@parley/monitoring";
import { scrape } from "@parley/testing/scrape";
import { holding, type Receiver, respondingWith, soon, subscriptionBecomes } from "@parley/webhooks/testing";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createDeliveryMetrics } from "../src/metrics/delivery-metrics.ts";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
let receiver: Receiver;
beforeAll(async () => {
  fixture = await startWorkerFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await fixture.startReceiver(respondingWith(200));
});
afterEach(() => fixture.reset());

const measured = { METRICS_PORT: "0" };
const get = (url: string | null, path: string) => fetch(`${url}${path}`);

async function expectSoon(url: string | null, expected: Record<string, number>): Promise<void> {
  await vi.waitFor(async () => expect(await scrape(url)).toMatchObject(expected), soon);
}

describe("the metrics", () => {
  test("count attempts by outcome, with duration and delivery latency", async () => {
    const { metricsUrl } = await fixture.startWorker({ ...measured, DELIVERY_MAX_ATTEMPTS: "1" });
    const { id } = await fixture.subscribe(receiver.url);
    const started = Date.now();
    await fixture.publish(3);
    await expectSoon(metricsUrl, { 'parley_delivery_attempts_total{outcome="delivered"}': 3 });
    const elapsedSeconds = (Date.now() - started) / 1_000;
    receiver.respond = respondingWith(500);
    await fixture.publish(1);
    await subscriptionBecomes(fixture, id, { failureCount: 1 });
    const metrics = await scrape(metricsUrl);
    expect(metrics).toMatchObject({
      'parley_delivery_attempts_total{outcome="exhausted"}': 1,
      'parley_delivery_attempt_duration_seconds_count{outcome="delivered"}': 3,
      'parley_delivery_attempt_duration_seconds_count{outcome="exhausted"}': 1,
      'parley_delivery_attempt_duration_seconds_bucket{le="+Inf",outcome="delivered"}': 3,
      parley_delivery_latency_seconds_count: 3,
      parley_delivery_attempts_in_flight: 0,
    });
    const mean = (metrics["parley_delivery_latency_seconds_sum"] ?? 0) / 3;
    expect(mean).toBeGreaterThan(0);
    expect(mean).toBeLessThan(elapsedSeconds + 1);
  });

  test("start at 0", async () => {
    const { metricsUrl } = await fixture.startWorker(measured);
    const metrics = await scrape(metricsUrl);
    for (const outcome of ["delivered", "failed", "exhausted"]) {
      expect(metrics[`parley_delivery_attempts_total{outcome="${outcome}"}`]).toBe(0);
      expect(metrics[`parley_delivery_attempt_duration_seconds_count{outcome="${outcome}"}`]).toBe(0);
    }
    expect(metrics["parley_pending_deliveries_removed_total"]).toBe(0);
    const longest = 'parley_delivery_attempt_duration_seconds_bucket{le="60",outcome="delivered"}';
    expect(metrics[longest]).toBe(0);
    for (const state of ["failing", "failed", "recovered"]) {
      expect(metrics[`parley_subscription_changes_total{state="${state}"}`]).toBe(0);
    }
  });

  test("show pending deliveries and their age in the same scrape, and deliveries of failed subscriptions separately", async () => {
    const { metricsUrl } = await fixture.startWorker({
      ...measured,
      DELIVERY_MAX_IN_FLIGHT_PER_SUBSCRIPTION: "2",
    });
    const held = await fixture.subscribe("https://hooks.example.com/");
    const hold = holding();
    receiver.respond = hold.respond;
    await fixture.subscribe(receiver.url);
    const due = { organizationId: fixture.organizationId, eventId: held.id };
    await fixture.db.subscription.update({ where: { id: held.id }, data: { status: "failed" } });
    await fixture.db.delivery.createMany({
      data: Array.from({ length: 7 }, () => ({ ...due, subscriptionId: held.id })),
    });
    await fixture.publish(5);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
    await fixture.db.delivery.updateMany({
      where: { subscriptionId: { not: held.id } },
      data: { nextAt: new Date(Date.now() - 5_000) },
    });
    const metrics = await scrape(metricsUrl);
    expect(metrics).toMatchObject({
      parley_deliveries_due: 5,
      parley_deliveries_held: 7,
      parley_delivery_attempts_in_flight: 2,
    });
    expect(metrics["parley_deliveries_oldest_due_seconds"]).toBeGreaterThan(4);
    expect(metrics["parley_deliveries_oldest_due_seconds"]).toBeLessThan(100);
    expect(metrics["parley_deliveries_oldest_waiting_seconds"]).toBeGreaterThan(4);
    for (const reason of [{ failureCount: 1 }, { rateLimit: 1 }, { ordering: "record" }]) {
      const none = { failureCount: 0, rateLimit: null, ordering: null };
      await fixture.db.subscription.updateMany({ data: { ...none, ...reason } });
      await expectSoon(metricsUrl, { parley_deliveries_due: 5, parley_deliveries_oldest_waiting_seconds: 0 });
    }
    hold.release(respondingWith(200));
    await expectSoon(metricsUrl, { parley_deliveries_due: 0, parley_deliveries_oldest_due_seconds: 0 });
  });

  test("show the circuit breakers and count their changes", async () => {
    const { metricsUrl } = await fixture.startWorker(measured);
    const [open, failing, gone] = [
      receiver.url,
      (await fixture.startReceiver(respondingWith(503))).url,
      (await fixture.startReceiver(respondingWith(410))).url,
    ];
    for (const url of [open, failing, gone]) await fixture.subscribe(url);
    expect(await scrape(metricsUrl)).toMatchObject({
      'parley_subscriptions{circuit="closed"}': 3,
      'parley_subscriptions{circuit="open"}': 0,
      'parley_subscriptions{circuit="failed"}': 0,
    });
    await fixture.publish(1);
    await expectSoon(metricsUrl, {
      'parley_subscriptions{circuit="closed"}': 1,
      'parley_subscriptions{circuit="open"}': 1,
      'parley_subscriptions{circuit="failed"}': 1,
      'parley_subscription_changes_total{state="failing"}': 1,
      'parley_subscription_changes_total{state="failed"}': 1,
    });
  });

  test("are served only at GET /metrics, and not without a port", async () => {
    const worker = await fixture.startWorker(measured);
    const { metricsUrl } = worker;
    expect((await get(metricsUrl, "/")).status).toBe(404);
    expect((await fetch(`${metricsUrl}/metrics`, { method: "POST" })).status).toBe(404);
    const found = await get(metricsUrl, "/metrics?name[]=all");
    expect([found.status, found.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/plain"),
    ]);
    await worker.stop();
    await expect(get(metricsUrl, "/metrics")).rejects.toThrow("fetch failed");
    expect((await fixture.startWorker()).metricsUrl).toBeNull();
  });

  test("count the deliveries again only after twenty times as long as it takes", async () => {
    let counted = 0;
    const query = async (text: string) => {
      if (!text.includes("FROM deliveries")) return fixture.pool.query(text);
      counted += 1;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { rows: [{ due: 7, oldest: 1, oldestWaiting: 1, value: 3 }] };
    };
    const server = await startMonitoring({ METRICS_PORT: 0, METRICS_HOST: "127.0.0.1" });
    const pool = { query, totalCount: 0, idleCount: 0, waitingCount: 0 };
    if (server.registry) createDeliveryMetrics(server.registry, pool as unknown as Pool);
    for (let scrapes = 0; scrapes < 3; scrapes += 1) {
      expect(await scrape(server.url)).toMatchObject({ parley_deliveries_due: 7, parley_deliveries_held: 3 });
    }
    expect(counted).toBe(2);
    await server.stop();
  });

  test("show the connections of the pool", async () => {
    const { metricsUrl } = await fixture.startWorker(measured);
    const metrics = await scrape(metricsUrl);
    expect(metrics['parley_database_pool_connections{pool="worker"}']).toBeGreaterThan(0);
    expect(metrics).toHaveProperty(['parley_database_pool_idle_connections{pool="worker"}']);
    expect(metrics['parley_database_pool_waiting{pool="worker"}']).toBe(0);
  });

  test("name METRICS_PORT when its port is in use", async () => {
    const { metricsUrl } = await fixture.startWorker(measured);
    const { port } = new URL(metricsUrl ?? "");
    await expect(fixture.startWorker({ METRICS_PORT: port })).rejects.toThrow(
      `METRICS_PORT ${port} on METRICS_HOST 127.0.0.1 cannot be used: listen EADDRINUSE`,
    );
  });

  test("omit the gauges that are read from the database while it is unavailable", async () => {
    let away = true;
    const query = (text: string) => (away ? Promise.reject(new Error("away")) : fixture.pool.query(text));
    const server = await startMonitoring({ METRICS_PORT: 0, METRICS_HOST: "127.0.0.1" });
    const pool = { query, totalCount: 0, idleCount: 0, waitingCount: 0 };
    if (server.registry) createDeliveryMetrics(server.registry, pool as unknown as Pool);
    const names = async () => Object.keys(await scrape(server.url));
    const own = 'parley_delivery_attempts_total{outcome="delivered"}';
    const ofDatabase = [
      "parley_deliveries_due",
      "parley_deliveries_oldest_due_seconds",
      "parley_deliveries_oldest_waiting_seconds",
      "parley_deliveries_held",
      'parley_subscriptions{circuit="closed"}',
    ];
    const known = async () => (await names()).filter((name) => [own, ...ofDatabase].includes(name));
    expect(await known()).toEqual([own]);
    away = false;
    expect(await known()).toEqual([own, ...ofDatabase]);
    away = true;
    await vi.waitFor(async () => expect(await known()).toEqual([own]), soon);
    await server.stop();
  });
});

describe("the health checks of a worker", () => {
  const status = async (url: string | null, path: string) => {
    const response = await get(url, path);
    return [response.status, (await response.text()).trim()];
  };

  test("succeed while it delivers", async () => {
    const { metricsUrl } = await fixture.startWorker(measured);
    expect(await status(metricsUrl, "/healthz")).toEqual([200, "ok"]);
    expect(await status(metricsUrl, "/readyz")).toEqual([200, "ok"]);
  });

  test("return why it does not deliver, and recover", async () => {
    const intervals = { lookMs: 50, sweepMs: 50, problemMs: 100 };
    const { metricsUrl } = await fixture.startWorker(measured, { intervals });
    await fixture.db.$executeRaw`ALTER TABLE subscription_queues RENAME TO moved`;
    const unready = [503, "deliveries cannot be read or recorded"];
    await vi.waitFor(async () => expect(await status(metricsUrl, "/readyz")).toEqual(unready), soon);
    expect(await status(metricsUrl, "/healthz")).toEqual([200, "ok"]);
    await vi.waitFor(async () => {
      const metrics = await scrape(metricsUrl);
      expect(metrics['parley_worker_step_failures_total{step="lease"}']).toBeGreaterThan(1);
      expect(metrics['parley_worker_step_failures_total{step="sweep"}']).toBeGreaterThan(1);
    }, soon);
    await fixture.db.$executeRaw`ALTER TABLE moved RENAME TO subscription_queues`;
    await vi.waitFor(async () => expect((await status(metricsUrl, "/readyz"))[0]).toBe(200), soon);
  });
});
