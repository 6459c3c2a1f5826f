import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type Bench,
  type Receiver,
  startBench,
  startReceiver,
  subscribeWithBacklog,
} from "../src/testing/index.ts";

let bench: Bench;
let receivers: Receiver[];
beforeEach(async () => {
  bench = await startBench();
  receivers = [];
});
afterEach(async () => {
  for (const receiver of receivers) await receiver.close();
  await bench.close();
});

async function receive(answer?: Receiver["answer"]): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

/** An address at which nobody listens. */
async function nobody(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}/`;
}

test("healthy subscriptions get everything while others hang, are down, or have thousands due", async () => {
  const healthy = await receive();
  const hanging = await receive(() => {});
  const behind = await receive((response) => void setTimeout(() => response.end(), 5));
  const { id: hangs } = await bench.subscribe(hanging.url);
  await bench.subscribe(await nobody());
  for (let i = 0; i < 20; i += 1) await bench.subscribe(healthy.url);
  const backlog = await subscribeWithBacklog(bench, behind.url, 10_000);

  await bench.startWorker({ timeoutMs: 60_000 });
  await vi.waitFor(() => expect(behind.received.length).toBeGreaterThan(0), { timeout: 5_000, interval: 5 });
  await bench.publish(20);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(400), { timeout: 20_000, interval: 5 });

  expect(await bench.db.delivery.count({ where: { subscriptionId: backlog } })).toBeGreaterThan(0);
  expect(hanging.received).toHaveLength(8); // As many as may be on their way; none of them has ended.
  expect(await bench.db.deliveryAttempt.count({ where: { subscriptionId: hangs } })).toBe(0);
});

test("an organization whose receivers are slow has half of a worker's attempts at most", async () => {
  const [slow, healthy] = [await receive(() => {}), await receive()];
  for (let i = 0; i < 4; i += 1) await subscribeWithBacklog(bench, slow.url, 20, bench.organizationId);
  await bench.startWorker({ timeoutMs: 60_000, maxInFlight: 16 });
  await vi.waitFor(() => expect(slow.received).toHaveLength(8), { timeout: 5_000, interval: 5 });
  await subscribeWithBacklog(bench, healthy.url, 30);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(30), { timeout: 5_000, interval: 5 });
  expect(slow.received).toHaveLength(8);
});

test("a quick receiver's backlog does not keep the worker busy while others are active", async () => {
  const healthy = await receive();
  const behind = await receive();
  await bench.subscribe(healthy.url);
  await subscribeWithBacklog(bench, behind.url, 20_000);
  await bench.startWorker();
  await bench.publish(1);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(1), { timeout: 5_000, interval: 1 });
  // From now on the healthy one counts as active for a second.
  const [from, before] = [performance.now(), behind.received.length];
  await vi.waitFor(() => expect(performance.now() - from).toBeGreaterThan(700), {
    timeout: 5_000,
    interval: 10,
  });
  const fetches = (performance.now() - from) / 16 + 2;
  expect(behind.received.length - before).toBeLessThanOrEqual(fetches * 32);
});

test("who has nothing left gives its place at once to those that wait for one", async () => {
  const receiver = await receive();
  for (let i = 0; i < 50; i += 1) await bench.subscribe(receiver.url);
  await bench.publish(1);
  await bench.startWorker({ maxInFlight: 2 });
  // Each would keep its place for a second, in case more comes, if nobody waited.
  await vi.waitFor(() => expect(receiver.received).toHaveLength(50), { timeout: 15_000, interval: 10 });
});
