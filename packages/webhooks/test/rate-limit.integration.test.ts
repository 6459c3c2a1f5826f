/** Subscriptions with a rate limit. */
import { expect, test, vi } from "vitest";
import {
  attemptsReach,
  createSubscriptionWithBacklog,
  leadCreated,
  soon,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();

test.each([{}, { ordering: "record" as const }])("limits the deliveries of a backlog %j", async (options) => {
  const sentAt: number[] = [];
  await fixture.subscribe(receiver.url, { rateLimit: 50, ...options });
  await fixture.publish(30);
  await fixture.startWorker({ observer: { sending: () => void sentAt.push(performance.now()) } });
  await attemptsReach(fixture, 30);
  // 20 ms apart, except for the first ones of a burst of 100 ms.
  expect((sentAt.at(-1) ?? 0) - (sentAt[0] ?? 0)).toBeGreaterThan(450);
});

test("does not delay other subscriptions, though they are many more than the worker can lease", async () => {
  const others = await fixture.startReceiver();
  for (let i = 0; i < 6; i += 1) {
    const id = await createSubscriptionWithBacklog(fixture, receiver.url, 100, fixture.organizationId);
    await fixture.db.subscription.update({ where: { id }, data: { rateLimit: 1 } });
  }
  const now = Date.now() + 60_000; // This clock stands still, so that no lease ends because of its age.
  await fixture.startWorker({ maxInFlight: 2, clock: () => now });
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(6), soon);
  for (let i = 0; i < 6; i += 1) {
    const { id } = await fixture.db.organization.create({ data: { name: "Other", plan: "pro" } });
    await fixture.subscribe(others.url, { organizationId: id });
    await fixture.publisher.change(id, async ({ publish }) => publish(leadCreated(null)));
  }
  await vi.waitFor(() => expect(others.received).toHaveLength(6), soon);
  expect(receiver.received.length).toBeLessThan(600);
});
