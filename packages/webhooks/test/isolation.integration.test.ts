import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  createSubscriptionWithBacklog,
  type DeliveryFixture,
  type Receiver,
  startDeliveryFixture,
  startReceiver,
} from "../src/testing/index.ts";

let fixture: DeliveryFixture;
let receivers: Receiver[];
beforeEach(async () => {
  fixture = await startDeliveryFixture();
  receivers = [];
});
afterEach(async () => {
  for (const receiver of receivers) await receiver.close();
  await fixture.close();
});

async function receive(respond?: Receiver["respond"]): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  return receiver;
}

/** Returns a URL that refuses connections. */
async function refusingUrl(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}/`;
}

test("healthy subscriptions get all deliveries while others do not respond, are down, or have thousands of pending deliveries", async () => {
  const healthy = await receive();
  const hanging = await receive(() => {});
  const behind = await receive((response) => void setTimeout(() => response.end(), 5));
  const { id: hangs } = await fixture.subscribe(hanging.url);
  await fixture.subscribe(await refusingUrl());
  for (let i = 0; i < 20; i += 1) await fixture.subscribe(healthy.url);
  const backlog = await createSubscriptionWithBacklog(fixture, behind.url, 10_000);

  await fixture.startWorker({ timeoutMs: 60_000 });
  await vi.waitFor(() => expect(behind.received.length).toBeGreaterThan(0), { timeout: 5_000, interval: 5 });
  await fixture.publish(20);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(400), { timeout: 20_000, interval: 5 });

  expect(await fixture.db.delivery.count({ where: { subscriptionId: backlog } })).toBeGreaterThan(0);
  expect(hanging.received).toHaveLength(8); // As many as may be in flight; none of them has ended.
  expect(await fixture.db.deliveryAttempt.count({ where: { subscriptionId: hangs } })).toBe(0);
});

test("an organization with slow receivers uses at most half of a worker's slots", async () => {
  const [slow, healthy] = [await receive(() => {}), await receive()];
  for (let i = 0; i < 4; i += 1)
    await createSubscriptionWithBacklog(fixture, slow.url, 20, fixture.organizationId);
  await fixture.startWorker({ timeoutMs: 60_000, maxInFlight: 16 });
  await vi.waitFor(() => expect(slow.received).toHaveLength(8), { timeout: 5_000, interval: 5 });
  await createSubscriptionWithBacklog(fixture, healthy.url, 30);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(30), { timeout: 5_000, interval: 5 });
  expect(slow.received).toHaveLength(8);
});

test("a fast receiver's backlog does not block other active subscriptions", async () => {
  const healthy = await receive();
  const behind = await receive();
  await fixture.subscribe(healthy.url);
  await createSubscriptionWithBacklog(fixture, behind.url, 20_000);
  await fixture.startWorker();
  await fixture.publish(1);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(1), { timeout: 5_000, interval: 1 });
  // From now on the healthy one counts as active for a second.
  const [from, before] = [performance.now(), behind.received.length];
  const enough = before + 640; // 20 fetches of 32 deliveries each, with a rest of 16 ms after each.
  await vi.waitFor(() => expect(behind.received.length).toBeGreaterThan(enough), {
    timeout: 5_000,
    interval: 1,
  });
  expect(performance.now() - from).toBeGreaterThan(18 * 16);
});

test("idle subscriptions are returned immediately while others wait to be leased", async () => {
  const receiver = await receive();
  for (let i = 0; i < 50; i += 1) await fixture.subscribe(receiver.url);
  await fixture.publish(1);
  await fixture.startWorker({ maxInFlight: 2 });
  // Without waiting subscriptions, each would stay leased for a second.
  await vi.waitFor(() => expect(receiver.received).toHaveLength(50), { timeout: 15_000, interval: 10 });
});
