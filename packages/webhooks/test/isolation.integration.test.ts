import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test, vi } from "vitest";
import {
  advanceClock,
  createSubscriptionWithBacklog,
  holding,
  soon,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver: healthy } = useDeliveryFixture();

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
  const hanging = await fixture.startReceiver(() => {});
  const behind = await fixture.startReceiver((response) => void setTimeout(() => response.end(), 20));
  const { id: hangs } = await fixture.subscribe(hanging.url);
  await fixture.subscribe(await refusingUrl());
  for (let i = 0; i < 20; i += 1) await fixture.subscribe(healthy.url);
  const backlog = await createSubscriptionWithBacklog(fixture, behind.url, 10_000);

  await fixture.startWorker();
  await vi.waitFor(() => expect(behind.received.length).toBeGreaterThan(0), soon);
  await fixture.publish(10);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(200), soon);

  // The backlog takes at least 25 s.
  expect(await fixture.db.delivery.count({ where: { subscriptionId: backlog } })).toBeGreaterThan(0);
  expect(hanging.received).toHaveLength(8); // As many as may be in flight; none of them has ended.
  expect(await fixture.db.deliveryAttempt.count({ where: { subscriptionId: hangs } })).toBe(0);
});

test("an organization with slow receivers uses at most half of a worker's slots", async () => {
  const slow = await fixture.startReceiver(() => {});
  for (let i = 0; i < 4; i += 1)
    await createSubscriptionWithBacklog(fixture, slow.url, 20, fixture.organizationId);
  await fixture.startWorker({ maxInFlight: 16 });
  await vi.waitFor(() => expect(slow.received).toHaveLength(8), soon);
  await createSubscriptionWithBacklog(fixture, healthy.url, 30);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(30), soon);
  expect(slow.received).toHaveLength(8);
});

test("a fast receiver's backlog does not block other active subscriptions", async () => {
  const behind = await fixture.startReceiver();
  await fixture.subscribe(healthy.url);
  await createSubscriptionWithBacklog(fixture, behind.url, 10_000);
  await fixture.startWorker();
  await fixture.publish(1);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(1), { ...soon, interval: 1 });
  // From now on the healthy one counts as active for a second.
  const [from, before] = [performance.now(), behind.received.length];
  const enough = before + 640; // 20 fetches of 32 deliveries each, with a rest of 16 ms after each.
  await vi.waitFor(() => expect(behind.received.length).toBeGreaterThan(enough), { ...soon, interval: 1 });
  expect(performance.now() - from).toBeGreaterThan(18 * 16);
});

test("idle subscriptions are returned immediately while others wait to be leased", async () => {
  for (let i = 0; i < 20; i += 1) await fixture.subscribe(healthy.url);
  await fixture.publish(1);
  const now = Date.now() + 60_000; // This clock stands still, so that no lease ends because of its age.
  await fixture.startWorker({ maxInFlight: 2, clock: () => now });
  await vi.waitFor(() => expect(healthy.received).toHaveLength(20), soon);
  expect(await fixture.db.subscriptionQueue.count({ where: { leaseWorker: null } })).toBeGreaterThan(0);
});

test("two organizations with hanging receivers leave places and attempts for a third", async () => {
  const hanging = await fixture.startReceiver(() => {});
  for (let greedy = 1; greedy <= 2; greedy += 1) {
    const { id } = await fixture.db.organization.create({ data: { name: "Greedy", plan: "pro" } });
    for (let i = 0; i < 20; i += 1) await createSubscriptionWithBacklog(fixture, hanging.url, 20, id);
  }
  await fixture.startWorker({ maxInFlight: 16 });
  await vi.waitFor(() => expect(hanging.received).toHaveLength(14), soon);
  await createSubscriptionWithBacklog(fixture, healthy.url, 30);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(30), soon);
  expect(hanging.received).toHaveLength(14);
});

test("a lease that ends drops what was fetched, so that others do not wait for it", async () => {
  const { respond, release } = holding();
  const slow = await fixture.startReceiver(respond);
  for (let i = 0; i < 2; i += 1)
    await createSubscriptionWithBacklog(fixture, slow.url, 100, fixture.organizationId);
  await fixture.startWorker({ maxInFlight: 2 });
  await vi.waitFor(() => expect(slow.received).toHaveLength(1), soon); // 32 of each subscription are fetched.
  await createSubscriptionWithBacklog(fixture, healthy.url, 5);
  await advanceClock(fixture, 1_000);
  release((response) => void setTimeout(() => response.end(), 50));
  await vi.waitFor(() => expect(healthy.received).toHaveLength(5), soon);
  expect(slow.received.length).toBeLessThan(32);
});
