import { createHmac } from "node:crypto";
import { startNotices } from "@parley/webhooks";
import { holding, type Receiver, respondingWith, soon, subscriptionBecomes } from "@parley/webhooks/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
let operator: Receiver;
let customer: Receiver;
beforeEach(async () => {
  fixture = await startWorkerFixture();
  operator = await fixture.startReceiver(respondingWith(200));
  customer = await fixture.startReceiver(respondingWith(200));
});
afterEach(() => fixture.close());

const secret = "the operator's own secret";
const noticed = () => ({
  NOTICE_URL: `${operator.url}?team=1`,
  NOTICE_SECRET: secret,
  DELIVERY_BACKOFF: "0",
  DELIVERY_MAX_FAILURES: "2",
});

interface Notice {
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}
const received = () => operator.received.map(({ body }) => JSON.parse(body) as Notice);

async function expectHeard(...types: string[]): Promise<void> {
  await vi.waitFor(() => expect(received().map(({ type }) => type)).toEqual(types), soon);
  await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(0), soon);
}

describe("the operator's webhook", () => {
  test("receives notices when a subscription starts failing, fails, and recovers after resuming", async () => {
    const { id } = await fixture.subscribe(customer.url);
    await fixture.startWorker(noticed());
    await fixture.publish(1);
    customer.respond = respondingWith(503);
    await fixture.publish(1);
    await expectHeard("subscription.failing", "subscription.failed");
    const about = { subscription_id: id, organization_id: fixture.organizationId, target_url: customer.url };
    expect(received()).toMatchObject([
      { data: { ...about, failure_count: 1, failure_reason: "the receiver responded with 503" } },
      { data: { ...about, failure_count: 2, failure_reason: "the receiver responded with 503" } },
    ]);
    for (const { created_at } of received())
      expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(30_000);

    customer.respond = respondingWith(200);
    // As `resume` leaves it: active, and the reason stays until a delivery succeeds.
    await fixture.db.subscription.update({
      where: { id },
      data: { status: "active", failureCount: 0, failedAt: null },
    });
    await fixture.db.subscriptionQueue.update({
      where: { subscriptionId: id },
      data: { circuitOpenUntil: null },
    });
    await expectHeard("subscription.failing", "subscription.failed", "subscription.recovered");
    expect(received()[2]).toMatchObject({ data: { ...about, failure_count: 0, failure_reason: null } });
    await fixture.publish(5); // All is well: nothing more to tell.
    await vi.waitFor(async () => expect(await fixture.db.delivery.count()).toBe(0), soon);
    expect(await fixture.db.notice.count()).toBe(0);
  });

  test("receives a notice of a recovery without another failure", async () => {
    customer.respond = (response) => response.writeHead(customer.received.length === 1 ? 500 : 200).end();
    await fixture.subscribe(customer.url);
    await fixture.startWorker(noticed());
    await fixture.publish(1);
    await expectHeard("subscription.failing", "subscription.recovered");
    expect(customer.received).toHaveLength(2);
  });

  test("can verify a notice like a delivery", async () => {
    customer.respond = respondingWith(410);
    await fixture.subscribe(customer.url);
    await fixture.startWorker(noticed());
    await fixture.publish(1);
    await expectHeard("subscription.failed");
    const [{ headers, body } = { headers: {}, body: "" }] = operator.received;
    const timestamp = headers["x-parley-timestamp"] as string;
    const hmac = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
    expect(headers).toMatchObject({
      "x-parley-signature": `sha256=${hmac}`,
      "x-parley-event": "subscription.failed",
      "content-type": "application/json",
    });
    expect(Math.abs(Number(timestamp) * 1_000 - Date.now())).toBeLessThan(30_000);
  });

  test("receives nothing without NOTICE_URL, and no notices are stored", async () => {
    customer.respond = respondingWith(410);
    const { id } = await fixture.subscribe(customer.url);
    await fixture.startWorker();
    await fixture.publish(1);
    await subscriptionBecomes(fixture, id, { status: "failed" });
    expect(await fixture.db.notice.count()).toBe(0);
  });

  test("requires NOTICE_SECRET", async () => {
    await expect(fixture.startWorker({ NOTICE_URL: operator.url })).rejects.toThrow(
      "is required with NOTICE_URL, and it is not set",
    );
  });
});

describe("a notice", () => {
  const attempts = async () => (await fixture.db.notice.findFirstOrThrow()).attempts;
  const write = () =>
    fixture.db.notice.create({
      data: { type: "subscription.failed", body: '{"type":"subscription.failed"}' },
    });
  const comesDue = () => fixture.db.notice.updateMany({ data: { nextAt: new Date(0) } });
  const secondsToGo = async () =>
    (Number((await fixture.db.notice.findFirstOrThrow()).nextAt) - Date.now()) / 1_000;

  test("is retried with backoff and the same ID until it is delivered", async () => {
    operator.respond = respondingWith(500);
    await write();
    await fixture.startWorker({ ...noticed(), DELIVERY_TIMEOUT_MS: "1000" });
    for (const [i, seconds] of [10, 20, 40].entries()) {
      await vi.waitFor(
        async () => expect([operator.received.length, await attempts()]).toEqual([i + 1, i + 1]),
        soon,
      );
      expect(await secondsToGo()).toBeGreaterThan(seconds - 5);
      expect(await secondsToGo()).toBeLessThanOrEqual(seconds + 1);
      await comesDue();
    }
    operator.respond = respondingWith(204);
    await comesDue();
    await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(0), soon);
    expect(new Set(operator.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test("waits for an earlier notice of its subscription, but not for others", async () => {
    const tell = (subscription: string, state: string) => {
      const type = `subscription.${state}`;
      return fixture.db.notice.create({
        data: { type, body: JSON.stringify({ type, data: { subscription_id: subscription } }) },
      });
    };
    operator.respond = (response) => response.writeHead(operator.received.length === 1 ? 503 : 200).end();
    await tell("one", "failing");
    await fixture.startWorker(noticed());
    await vi.waitFor(() => expect(operator.received).toHaveLength(1), soon);
    await tell("one", "recovered");
    await tell("another", "failed");
    await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(2), soon);
    await comesDue();
    await expectHeard(
      "subscription.failing",
      "subscription.failed",
      "subscription.failing",
      "subscription.recovered",
    );
  });

  test("is sent once the receiver is available again", async () => {
    await fixture.startWorker({ ...noticed(), NOTICE_URL: "http://127.0.0.1:9/" });
    await write();
    await vi.waitFor(async () => expect(await attempts()).toBe(1), soon);
    expect(await fixture.db.notice.count()).toBe(1);
  });

  test("is deleted after 20 failed attempts", async () => {
    operator.respond = respondingWith(500);
    await fixture.db.notice.update({ where: { id: (await write()).id }, data: { attempts: 19 } });
    await fixture.startWorker(noticed());
    await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(0), soon);
    expect(operator.received).toHaveLength(1);
  });

  test("is sent again after its worker died, and never by two workers at the same time", async () => {
    const hold = holding();
    operator.respond = hold.respond;
    await write();
    const log = { info() {}, warn() {}, error() {} };
    // In the database, a worker that dies leaves only the claim.
    const dying = {
      query: async (query: never) =>
        (query as { name?: string }).name ? fixture.pool.query(query) : new Promise(() => {}),
    };
    const options = { url: operator.url, secret, log, timeoutMs: 5_000 };
    const dead = startNotices({ ...options, db: dying as never });
    await vi.waitFor(() => expect(operator.received).toHaveLength(1), soon);
    const living = startNotices({ ...options, db: fixture.pool });
    expect(await secondsToGo()).toBeGreaterThan(10); // Beyond the time that the attempt may take.
    hold.release(respondingWith(200));
    expect(await attempts()).toBe(1);

    await comesDue();
    await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(0), soon);
    expect(operator.received).toHaveLength(2);
    await living.stop();
    void dead.stop();
  });

  test("is sent once by several workers", async () => {
    await fixture.db.notice.createMany({
      data: Array.from({ length: 50 }, (_, i) => ({ type: "subscription.failing", body: `{"number":${i}}` })),
    });
    await Promise.all([fixture.startWorker(noticed()), fixture.startWorker(noticed())]);
    await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(0), soon);
    expect(operator.received).toHaveLength(50);
    expect(new Set(operator.received.map(({ body }) => body)).size).toBe(50);
  });
});
