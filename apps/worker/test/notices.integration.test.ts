import { createHmac } from "node:crypto";
import { startNotices } from "@parley/webhooks";
import { holding, type Receiver, respondingWith, soon, subscriptionBecomes } from "@parley/webhooks/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
let operator: Receiver;
let customer: Receiver;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  fixture = await startWorkerFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  operator = await fixture.startReceiver(respondingWith(200));
  customer = await fixture.startReceiver(respondingWith(200));
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await fixture.reset();
});

const secret = "the operator's own secret";
const noticed = () => ({
  NOTICE_URL: `${operator.url}?team=1`,
  NOTICE_SECRET: secret,
  DELIVERY_BACKOFF: "0",
  DELIVERY_MAX_FAILURES: "2",
});

/** Sends notices without a worker, and looks for them more often than a worker. */
function sendNotices({ url = operator.url, db = fixture.pool, timeoutMs = 1_000 } = {}): void {
  const log = { info() {}, warn() {}, error() {} };
  const notices = startNotices({ db, url, secret, log, timeoutMs, everyMs: 20 });
  stops.push(() => notices.stop());
}

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
    sendNotices();
    await fixture.publish(1);
    await expectHeard("subscription.failing", "subscription.recovered");
    expect(customer.received).toHaveLength(2);
  });

  test("can verify a notice like a delivery", async () => {
    customer.respond = respondingWith(410);
    await fixture.subscribe(customer.url);
    await fixture.startWorker(noticed());
    sendNotices();
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
  const nextAt = async () => Number((await fixture.db.notice.findFirstOrThrow()).nextAt);

  test("is retried with backoff and the same ID until it is delivered", async () => {
    operator.respond = respondingWith(500);
    let dueFrom = Date.now();
    await write();
    sendNotices();
    for (const [i, seconds] of [10, 20, 40].entries()) {
      await vi.waitFor(
        async () => expect([operator.received.length, await attempts()]).toEqual([i + 1, i + 1]),
        soon,
      );
      const next = await nextAt();
      expect(next).toBeGreaterThanOrEqual(dueFrom + seconds * 1_000 + 1_000); // After the timeout of this attempt.
      expect(next).toBeLessThanOrEqual(Date.now() + seconds * 1_000 + 1_000);
      dueFrom = Date.now();
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
    sendNotices();
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
    sendNotices({ url: "http://127.0.0.1:9/" });
    await write();
    await vi.waitFor(async () => expect(await attempts()).toBe(1), soon);
    expect(await fixture.db.notice.count()).toBe(1);
  });

  test("is deleted after 20 failed attempts", async () => {
    operator.respond = respondingWith(500);
    await fixture.db.notice.update({ where: { id: (await write()).id }, data: { attempts: 19 } });
    sendNotices();
    await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(0), soon);
    expect(operator.received).toHaveLength(1);
  });

  test("is sent again after its worker died, and never by two workers at the same time", async () => {
    const hold = holding();
    operator.respond = hold.respond;
    await write();
    // In the database, a worker that dies leaves only the claim.
    const died = Promise.withResolvers<object>();
    const query = async (statement: { name?: string }) =>
      statement.name ? fixture.pool.query(statement as never) : died.promise;
    const started = Date.now();
    sendNotices({ db: { query } as never, timeoutMs: 5_000 });
    await vi.waitFor(() => expect(operator.received).toHaveLength(1), soon);
    sendNotices();
    expect(await nextAt()).toBeGreaterThanOrEqual(started + 15_000); // 10 seconds after the attempt's timeout.
    hold.release(respondingWith(200));
    expect(await attempts()).toBe(1);

    await comesDue();
    await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(0), soon);
    expect(operator.received).toHaveLength(2);
    died.resolve({ rows: [] });
  });

  test("is sent once by several workers", async () => {
    await fixture.db.notice.createMany({
      data: Array.from({ length: 50 }, (_, i) => ({ type: "subscription.failing", body: `{"number":${i}}` })),
    });
    for (let i = 0; i < 2; i += 1) sendNotices();
    await vi.waitFor(async () => expect(await fixture.db.notice.count()).toBe(0), soon);
    expect(operator.received).toHaveLength(50);
    expect(new Set(operator.received.map(({ body }) => body)).size).toBe(50);
  });
});
