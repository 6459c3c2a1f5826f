import type { Pool } from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { attemptsReach, readSubscription, respondingWith, useDeliveryFixture } from "../src/testing/index.ts";
import { createDatabaseClock } from "../src/worker/database-clock.ts";

const { fixture, receiver } = useDeliveryFixture();
afterEach(() => void vi.restoreAllMocks());

const hours = 3_600_000;

test.each([
  ["slow", -7 * hours],
  ["fast", 7 * hours],
])(
  "a worker whose clock is %s by hours uses the database's clock for sending, signing and backoff",
  async (_how, wrong) => {
    const right = Date.now.bind(Date);
    vi.spyOn(Date, "now").mockImplementation(() => right() + wrong);
    receiver.respond = respondingWith(500);
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.startWorker({ clock: undefined });
    await fixture.publish(1);
    await attemptsReach(fixture, 1);

    const timestamp = Number(receiver.received[0]?.headers["x-parley-timestamp"]) * 1_000;
    expect(Math.abs(timestamp - right())).toBeLessThan(10_000);
    const { attemptedAt } = await fixture.db.deliveryAttempt.findFirstOrThrow();
    expect(Math.abs(Number(attemptedAt) - right())).toBeLessThan(10_000);
    const { queue } = await readSubscription(fixture, id);
    const pause = Number(queue?.circuitOpenUntil) - Number(attemptedAt);
    expect(pause).toBeGreaterThanOrEqual(4_000);
    expect(pause).toBeLessThan(7_000);
  },
);

test("a slow response does not replace the time of a fast response", async () => {
  let slow = false;
  // The database's time is an hour ahead of this process's clock, and 5 s more in the slow response.
  const query = async () => {
    const ms = Date.now() + 1 * hours + (slow ? 5_000 : 0);
    if (slow) await new Promise((resolve) => setTimeout(resolve, 200));
    return { rows: [{ ms }] };
  };
  const clock = createDatabaseClock({ query } as unknown as Pool);
  await clock.synchronize();
  slow = true;
  await clock.synchronize();
  expect(Math.abs(clock.now() - Date.now() - 1 * hours)).toBeLessThan(1_000);
});
