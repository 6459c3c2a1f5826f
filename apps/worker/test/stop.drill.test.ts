import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await startWorkerFixture();
});
afterAll(() => fixture.close());

/** Starts the worker in a separate process, as in production. */
function spawnWorker(variables: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, "../src/main.mjs")], {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: fixture.databaseUrl,
      PARLEY_ENCRYPTION_KEY: fixture.encryptionKey,
      WEBHOOKS_ALLOW_LOOPBACK: "true",
      LOG_LEVEL: "warn",
      ...variables,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Sends SIGTERM; resolves with the exit code and the milliseconds that it took. */
async function terminate(worker: ChildProcess): Promise<{ code: number | null; ms: number }> {
  const from = performance.now();
  worker.kill("SIGTERM");
  const [code] = (await once(worker, "exit")) as [number | null];
  return { code, ms: performance.now() - from };
}

test("on SIGTERM, finishes and records the attempt in flight and starts no other", async () => {
  const receiver = await fixture.startReceiver((response) => void sleep(1_500).then(() => response.end()));
  const { id: subscriptionId } = await fixture.subscribe(receiver.url);
  const worker = spawnWorker({ DELIVERY_MAX_IN_FLIGHT_PER_SUBSCRIPTION: "1" });
  await fixture.publish(2);
  await vi.waitUntil(() => receiver.received.length === 1, { timeout: 30_000 });

  const { code, ms } = await terminate(worker);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(20_000);
  expect(receiver.received).toHaveLength(1);
  expect(await fixture.db.delivery.count({ where: { subscriptionId } })).toBe(1); // One is delivered, one is pending.
});

test("exits after SHUTDOWN_TIMEOUT_MS if a receiver does not respond; the delivery stays pending", async () => {
  const receiver = await fixture.startReceiver(() => undefined);
  const { id: subscriptionId } = await fixture.subscribe(receiver.url);
  const worker = spawnWorker({ DELIVERY_TIMEOUT_MS: "60000", SHUTDOWN_TIMEOUT_MS: "1000" });
  await fixture.publish(1);
  await vi.waitUntil(() => receiver.received.length === 1, { timeout: 30_000 });

  const { code, ms } = await terminate(worker);
  expect(code).toBe(1);
  expect(ms).toBeLessThan(20_000);
  expect(await fixture.db.delivery.count({ where: { subscriptionId } })).toBe(1);
});
