/** Subscriptions with a rate limit. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  attemptsReach,
  type DeliveryFixture,
  leadCreated,
  type Receiver,
  soon,
  startDeliveryFixture,
  startReceiver,
} from "../src/testing/index.ts";

let fixture: DeliveryFixture;
let receiver: Receiver;
let arrivals: number[];
beforeEach(async () => {
  fixture = await startDeliveryFixture();
  arrivals = [];
  receiver = await startReceiver((response) => {
    arrivals.push(performance.now());
    response.end();
  });
});
afterEach(async () => {
  await fixture.close();
  await receiver.close();
});

/** Returns the largest number of arrivals within a second. */
const mostInASecond = () =>
  Math.max(...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1_000).length));

test.each([{}, { ordering: "record" as const }])("limits the deliveries of a backlog %j", async (options) => {
  await fixture.subscribe(receiver.url, { rateLimit: 20, ...options });
  await fixture.publish(60);
  await fixture.startWorker();
  await attemptsReach(fixture, 60);
  expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(2_500);
  expect(mostInASecond()).toBeLessThanOrEqual(25); // 22, and some milliseconds that timers and the network vary by.
});

test("does not delay other subscriptions, though they are many more than the worker can lease", async () => {
  const others = await startReceiver();
  const organization = () => fixture.db.organization.create({ data: { name: "Other", plan: "pro" } });
  for (let i = 0; i < 6; i += 1) await fixture.subscribe(receiver.url, { rateLimit: 1 });
  for (let i = 0; i < 6; i += 1) {
    const { id } = await organization();
    await fixture.subscribe(others.url, { organizationId: id });
  }
  await fixture.publish(3);
  await fixture.startWorker({ maxInFlight: 2 });
  await vi.waitFor(() => expect(arrivals.length).toBeGreaterThanOrEqual(6), soon);
  const publishedAt = performance.now();
  const organizations = await fixture.db.organization.findMany({ where: { name: "Other" } });
  for (const { id } of organizations) {
    await fixture.publisher.change(id, async ({ publish }) => publish(leadCreated(null)));
  }
  await vi.waitFor(() => expect(others.received).toHaveLength(6), soon);
  expect(performance.now() - publishedAt).toBeLessThan(1_500);
  await attemptsReach(fixture, 24);
  expect(mostInASecond()).toBeLessThanOrEqual(12); // One of each of six subscriptions, at the beginning and the end of a second.
  await others.close();
});
