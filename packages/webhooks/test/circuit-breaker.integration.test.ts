import { describe, expect, test, vi } from "vitest";
import {
  advanceClock,
  attemptsReach,
  defaultPolicy,
  holding,
  type Receiver,
  readSubscription,
  respondingWith,
  soon,
  subscriptionBecomes,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();

const seconds = 1_000;
const hour = 3_600 * seconds;
const ok: Receiver["respond"] = respondingWith(200);
const down: Receiver["respond"] = respondingWith(503);
const oneAtATime = { maxInFlightPerSubscription: 1 };

/** Starts a second subscription. After a delivery to it, the worker has also looked at the one under test. */
async function startWitness(): Promise<{ seesAnother(): Promise<void> }> {
  const witness = await fixture.startReceiver();
  await fixture.subscribe(witness.url);
  return {
    async seesAnother() {
      const before = witness.received.length;
      await fixture.publish(1);
      await vi.waitFor(() => expect(witness.received.length).toBeGreaterThan(before), soon);
    },
  };
}

/** Waits until the failure is recorded and the subscription is not leased. */
async function failedTimes(id: string, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { failureCount, queue } = await readSubscription(fixture, id);
    expect([failureCount, queue?.leaseWorker]).toEqual([count, null]);
  }, soon);
}

async function outcomes(): Promise<Record<string, number>> {
  const rows = await fixture.db.deliveryAttempt.groupBy({ by: ["outcome"], _count: true });
  return Object.fromEntries(rows.map(({ outcome, _count }) => [outcome, _count]));
}

describe("after a failure", () => {
  test("sends nothing for 5 s, 1 min, 10 min, 1 h, each ±20 %, and then one probe; the fifth failure fails the subscription", async () => {
    receiver.respond = down;
    const { id } = await fixture.subscribe(receiver.url);
    const witness = await startWitness();
    const begin = Date.now() + 60 * seconds; // The clock stands still between its changes.
    await fixture.startWorker({ ...oneAtATime, clock: () => begin + fixture.clock.ahead });
    await fixture.publish(3);

    for (const [i, pauseSeconds] of [5, 60, 600, 3_600].entries()) {
      const failures = i + 1;
      await failedTimes(id, failures);
      expect(receiver.received).toHaveLength(failures);
      const { status, failureReason, failedAt, queue } = await readSubscription(fixture, id);
      expect({ status, failureReason, failedAt }).toEqual({
        status: "active",
        failureReason: "the receiver responded with 503",
        failedAt: null,
      });
      const pause = Number(queue?.circuitOpenUntil) - begin - fixture.clock.ahead;
      expect(pause).toBeGreaterThanOrEqual(0.8 * pauseSeconds * seconds);
      expect(pause).toBeLessThanOrEqual(1.2 * pauseSeconds * seconds);

      fixture.clock.ahead += pause - 1 * seconds;
      await witness.seesAnother();
      expect(receiver.received).toHaveLength(failures);
      await advanceClock(fixture, 1 * seconds);
    }

    await failedTimes(id, 5);
    const row = await readSubscription(fixture, id);
    expect(row).toMatchObject({ status: "failed", failureReason: "the receiver responded with 503" });
    expect(Math.abs(Number(row.failedAt) - Date.now())).toBeLessThan(120 * seconds);
    const held = await fixture.db.delivery.count({ where: { subscriptionId: id } });
    fixture.clock.ahead += 24 * hour;
    await witness.seesAnother();
    expect(receiver.received).toHaveLength(5);
    // Pending deliveries are held. New events create no deliveries for this subscription.
    expect(await fixture.db.delivery.count({ where: { subscriptionId: id } })).toBe(held);
    expect(held).toBe((await fixture.db.event.count()) - 1);
  });

  test("sends a single probe, and pending deliveries after its success", async () => {
    receiver.respond = down;
    const { id } = await fixture.subscribe(receiver.url);
    const witness = await startWitness();
    await fixture.publish(20);
    await fixture.startWorker();
    await failedTimes(id, 1);
    const atOnce = receiver.received.length;
    expect(atOnce).toBeLessThanOrEqual(8);

    const probe = holding();
    receiver.respond = probe.respond;
    await advanceClock(fixture, 6 * seconds);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(atOnce + 1), soon);
    await witness.seesAnother();
    expect(receiver.received).toHaveLength(atOnce + 1);
    probe.release(ok);
    await advanceClock(fixture, 6 * seconds);
    await vi.waitFor(async () => expect(await fixture.db.delivery.count()).toBe(0), soon);
    expect(receiver.received).toHaveLength(atOnce + 21);
    await subscriptionBecomes(fixture, id, { failureCount: 0, failureReason: null });
  });

  test("resets the count after a success, so that the next failure opens the circuit for 5 s again", async () => {
    receiver.respond = down;
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.startWorker(oneAtATime);
    await fixture.publish(1);
    await failedTimes(id, 1);
    await advanceClock(fixture, 6 * seconds);
    await failedTimes(id, 2);
    receiver.respond = ok;
    await advanceClock(fixture, 72 * seconds);
    await subscriptionBecomes(fixture, id, { failureCount: 0 });
    expect((await readSubscription(fixture, id)).queue?.circuitOpenUntil).toBeNull();

    receiver.respond = down;
    await fixture.publish(1);
    await failedTimes(id, 1);
    const { queue } = await readSubscription(fixture, id);
    expect(Number(queue?.circuitOpenUntil) - Date.now() - fixture.clock.ahead).toBeLessThanOrEqual(
      6 * seconds,
    );
  });

  test("logs and retries attempts in flight without counting them", async () => {
    const all = holding();
    receiver.respond = all.respond;
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.publish(8);
    await fixture.startWorker();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(8), soon);
    all.release(down);
    await attemptsReach(fixture, 8);
    await failedTimes(id, 1);
    receiver.respond = ok;
    await advanceClock(fixture, 6 * seconds);
    await vi.waitFor(async () => expect(await outcomes()).toEqual({ failed: 8, delivered: 8 }), soon);
  });

  test("does not wait for an attempt without a response", async () => {
    const hanging = await fixture.startReceiver(() => {});
    await fixture.subscribe(hanging.url);
    await fixture.subscribe(receiver.url);
    await fixture.startWorker();
    await fixture.publish(30);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(30), soon);
    expect(hanging.received).toHaveLength(8);
  });

  test.each([
    ["seconds", () => "90", 90],
    ["a date of the receiver's own clock", (now: number) => new Date(now + 120_000).toUTCString(), 119],
    ["more than an hour", () => "999999", 3_600],
  ])("honors Retry-After in %s", async (_what, header, pauseSeconds) => {
    const receiversClock = Date.now() - 24 * hour;
    const date = new Date(receiversClock).toUTCString();
    receiver.respond = respondingWith(429, { date, "retry-after": header(receiversClock) });
    const { id } = await fixture.subscribe(receiver.url);
    const now = Date.now() + 60 * seconds; // The worker's clock stands still.
    await fixture.startWorker({ clock: () => now });
    await fixture.publish(1);
    await failedTimes(id, 1);
    const { queue } = await readSubscription(fixture, id);
    const pause = (Number(queue?.circuitOpenUntil) - now) / seconds;
    expect(pause).toBeGreaterThanOrEqual(pauseSeconds);
    expect(pause).toBeLessThanOrEqual(pauseSeconds + 1);
  });
});

test("waits for the Retry-After of an attempt in flight, and reports the failure once", async () => {
  receiver.respond = (...request) =>
    (receiver.received.length === 1 ? later.respond : first.respond)(...request);
  const [first, later] = [holding(), holding()];
  const { id } = await fixture.subscribe(receiver.url);
  await fixture.publish(2);
  await fixture.startWorker({ notices: true });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), soon);
  first.release(down);
  await subscriptionBecomes(fixture, id, { failureCount: 1 });
  later.release(respondingWith(429, { "retry-after": "600" }));
  await attemptsReach(fixture, 2);
  await failedTimes(id, 1);
  const { queue } = await readSubscription(fixture, id);
  expect((Number(queue?.circuitOpenUntil) - Date.now()) / seconds).toBeGreaterThan(580);
  expect(await fixture.db.notice.count()).toBe(1);
});

describe("410 Gone", () => {
  test("fails the subscription immediately, and attempts in flight finish without changing the status", async () => {
    const rest = holding();
    receiver.respond = (...request) =>
      receiver.received.length === 3 ? respondingWith(410)(...request) : rest.respond(...request);
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.publish(3);
    await fixture.db.delivery.updateMany({ data: { attempts: 4 } }); // The last one, were it not for the outage.
    const moves: string[] = [];
    const observer = {
      sending() {},
      attempted() {},
      subscriptionChanged: (state: string) => void moves.push(state),
    };
    await fixture.startWorker({ notices: true, observer });
    await subscriptionBecomes(fixture, id, { status: "failed" });
    const failed = await readSubscription(fixture, id);
    expect(failed).toMatchObject({ failureCount: 1, failureReason: "the receiver responded with 410" });

    let responses = 0;
    rest.release((...request) => {
      responses += 1;
      (responses === 1 ? ok : down)(...request);
    });
    await attemptsReach(fixture, 3);
    expect(await outcomes()).toEqual({ delivered: 1, failed: 2 });
    await failedTimes(id, 1);
    const { queue: _, ...row } = await readSubscription(fixture, id);
    expect(failed).toMatchObject(row);
    const notices = await fixture.db.notice.findMany();
    expect(notices.map(({ type }) => type)).toEqual(["subscription.failed"]);
    expect(moves).toEqual(["failed"]);
    expect(await fixture.db.delivery.count()).toBe(2); // Held.
  });
});

describe("a single delivery that keeps failing", () => {
  /** Rejects the first delivery and accepts the others. */
  const refusingTheFirst: Receiver["respond"] = (response, { headers }) => {
    const first = receiver.received[0]?.headers["webhook-id"];
    response.writeHead(headers["webhook-id"] === first ? 500 : 200).end();
  };

  test("is exhausted after 5 attempts while others succeed", async () => {
    receiver.respond = refusingTheFirst;
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.startWorker(oneAtATime);
    await fixture.publish(1);
    for (const [i, pauseSeconds] of [6, 72, 720, 4_320].entries()) {
      await attemptsReach(fixture, 2 * i + 1);
      await fixture.publish(1);
      await advanceClock(fixture, pauseSeconds * seconds);
    }
    await vi.waitFor(
      async () => expect(await outcomes()).toEqual({ failed: 4, delivered: 4, exhausted: 1 }),
      soon,
    );
    expect(await fixture.db.delivery.count()).toBe(0);
    await subscriptionBecomes(fixture, id, { status: "active", failureCount: 1 });
  });

  test("is logged when it is exhausted", async () => {
    receiver.respond = down;
    const { id } = await fixture.subscribe(receiver.url);
    const lines: [details: object, message: string][] = [];
    const warn = (...line: [details: object, message: string]) => void lines.push(line);
    await fixture.startWorker({ maxAttempts: 1, log: { info() {}, warn, error() {} } });
    await fixture.publish(1);
    await attemptsReach(fixture, 1);
    const { deliveryId: delivery } = await fixture.db.deliveryAttempt.findFirstOrThrow();
    const reason = "the receiver responded with 503";
    expect(lines).toContainEqual([
      { delivery, subscription: id, organization: fixture.organizationId, reason },
      "delivery exhausted; it is not retried",
    ]);
  });

  test("is not preferred as the probe", async () => {
    receiver.respond = refusingTheFirst;
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.startWorker(oneAtATime);
    await fixture.publish(1);
    await failedTimes(id, 1);
    await fixture.publish(1);
    await advanceClock(fixture, 6 * seconds);
    await attemptsReach(fixture, 3);
    const [refused, probe, again] = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(probe).not.toBe(refused);
    expect(again).toBe(refused);
  });

  test("stays pending while all deliveries fail, after any number of attempts", async () => {
    receiver.respond = down;
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.publish(2);
    await fixture.startWorker(oneAtATime);
    await failedTimes(id, 1);
    await fixture.db.delivery.updateMany({ data: { attempts: 7 } });
    for (const [i, pauseSeconds] of [6, 4_320, 4_320].entries()) {
      await advanceClock(fixture, pauseSeconds * seconds);
      await failedTimes(id, i + 2);
    }
    expect(await outcomes()).toEqual({ failed: 4 });
    expect(await fixture.db.delivery.count()).toBe(2);
  });
});

test("logs when and why a subscription starts failing, fails and recovers", async () => {
  const lines: [level: string, details: object, message: string][] = [];
  const say = (level: string) => (details: object, message: string) =>
    void lines.push([level, details, message]);
  receiver.respond = respondingWith(502);
  const { id } = await fixture.subscribe(receiver.url);
  const circuitPolicy = { ...defaultPolicy, maxFailures: 3 };
  await fixture.startWorker({
    circuitPolicy,
    log: { info: say("info"), warn: say("warn"), error: say("error") },
  });
  await fixture.publish(1);
  await failedTimes(id, 1);
  receiver.respond = ok;
  await advanceClock(fixture, 6 * seconds);
  await attemptsReach(fixture, 2);
  receiver.respond = respondingWith(410);
  await fixture.publish(1);
  await subscriptionBecomes(fixture, id, { status: "failed" });

  const about = { subscription: id, organization: fixture.organizationId };
  expect(lines.filter(([, details]) => "subscription" in details)).toEqual([
    ["warn", { ...about, reason: "the receiver responded with 502" }, "subscription started to fail"],
    ["info", about, "subscription recovered"],
    [
      "warn",
      { ...about, reason: "the receiver responded with 410" },
      "subscription failed; nothing is sent until it is resumed",
    ],
  ]);
});

test("waits for the Retry-After of one attempt even if another attempt in flight succeeds after it", async () => {
  const waiting: Parameters<Receiver["respond"]>[0][] = [];
  receiver.respond = (response) => void waiting.push(response);
  const { id } = await fixture.subscribe(receiver.url);
  await fixture.publish(20);
  await fixture.startWorker();
  await vi.waitFor(() => expect(waiting).toHaveLength(8), soon);
  waiting[0]?.writeHead(429, { "retry-after": "600" }).end();
  await attemptsReach(fixture, 1);
  for (const response of waiting.slice(1)) response.end();
  await attemptsReach(fixture, 8);
  await subscriptionBecomes(fixture, id, { failureCount: 0, status: "active" });
  const { queue } = await readSubscription(fixture, id);
  const seconds = (Number(queue?.circuitOpenUntil) - Date.now()) / 1000;
  expect(seconds).toBeGreaterThan(540);
  expect(seconds).toBeLessThanOrEqual(600);
  expect(receiver.received).toHaveLength(8);

  receiver.respond = respondingWith(200);
  await advanceClock(fixture, 601_000);
  await attemptsReach(fixture, 21);
});
