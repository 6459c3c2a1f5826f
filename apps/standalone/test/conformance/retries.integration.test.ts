import { type Receiver, respondingWith } from "@parley/webhooks/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  closeReceivers,
  deliveryAbout,
  endBackoff,
  failuresReach,
  header,
  lead,
  newReceiver,
  type Subscription,
  signatureOf,
  soon,
  subscribe,
} from "./receiving.ts";
import { type Account, type Service, sharedService } from "./service.ts";

// Failing receivers: attempts, backoff, and failed subscriptions.

interface Delivery {
  id: string;
  attributes: {
    event_type: string;
    status: string;
    attempt_count: number;
    next_attempt_at: string | null;
    last_attempt: { attempted_at: string; status_code: number | null } | null;
  };
}

const path = "/api/v1/webhooks";
let service: Service;
let account: Account;
/** Gets the same events, so that rows can wait until an event was sent. */
let healthy: Receiver;
/** Responds with 500 until a row changes that. */
let failing: Receiver;
let subscription: Subscription;
beforeAll(async () => {
  service = await sharedService();
  account = await service.createAccount("business");
  healthy = await newReceiver();
  await subscribe(account, healthy);

  failing = await newReceiver(respondingWith(500));
  subscription = await subscribe(account, failing);
  await account.write(lead("failing"));
});
afterAll(closeReceivers);

async function deliveriesOf({ id }: Subscription): Promise<Delivery[]> {
  return (await account.call<Delivery[]>("GET", `${path}/${id}/deliveries`)).body.data;
}

const failures = (count: number) => failuresReach(account, subscription, count);

test.each([
  { count: 1, backoff: "5 seconds", seconds: 5 },
  { count: 2, backoff: "1 minute", seconds: 60 },
  { count: 3, backoff: "10 minutes", seconds: 600 },
  { count: 4, backoff: "1 hour", seconds: 3_600 },
])(
  "after failure $count the subscription stays active; the next attempt follows in $backoff ± 20 % (its rows are moved back)",
  async ({ count, seconds }) => {
    expect(await failures(count)).toMatchObject({ status: "active", failure_count: count });
    const [delivery] = await deliveriesOf(subscription);
    expect(delivery?.attributes).toMatchObject({
      status: "pending",
      attempt_count: count,
      last_attempt: { status_code: 500 },
    });
    const { next_attempt_at, last_attempt } = delivery?.attributes ?? {};
    const wait = (Date.parse(next_attempt_at ?? "") - Date.parse(last_attempt?.attempted_at ?? "")) / 1_000;
    expect(wait).toBeGreaterThanOrEqual(seconds * 0.8);
    expect(wait).toBeLessThanOrEqual(seconds * 1.2 + 20);
    expect(failing.received).toHaveLength(count);
    await endBackoff(service, subscription);
  },
);

test("after 5 consecutive failures the subscription is failed", async () => {
  expect(await failures(5)).toMatchObject({ status: "failed", failure_count: 5 });
  const { body } = await account.call<Subscription[]>("GET", path);
  const inList = body.data.find(({ id }) => id === subscription.id);
  expect(inList).toMatchObject({ status: "failed", failure_count: 5 });
});

test("every attempt of a delivery has the same X-Parley-Delivery and body, and its own timestamp and signature", () => {
  expect(failing.received).toHaveLength(5);
  expect(new Set(failing.received.map((received) => header(received, "x-parley-delivery"))).size).toBe(1);
  expect(new Set(failing.received.map(({ body }) => body)).size).toBe(1);
  for (const received of failing.received) {
    expect(header(received, "x-parley-signature")).toBe(signatureOf(received, subscription.secret));
  }
});

test("a failed subscription is paused: neither pending nor new events are sent", async () => {
  await endBackoff(service, subscription);
  const [id] = await account.write(lead("while-failed"));
  await deliveryAbout(healthy, id); // The worker then also looked for the pending delivery.
  expect(failing.received).toHaveLength(5);
});

test("resuming makes it active with a count of 0, and sends pending deliveries", async () => {
  failing.respond = respondingWith(200);
  const { status, body } = await account.call<Subscription>("POST", `${path}/${subscription.id}/resume`);
  expect([status, body.data]).toMatchObject([200, { status: "active", failure_count: 0 }]);
  await vi.waitFor(() => expect(failing.received).toHaveLength(6), soon);
});

test("a failed subscription can be deleted", async () => {
  const gone = await newReceiver(respondingWith(410));
  const { id } = await subscribe(account, gone);
  await account.write(lead("gone"));
  await vi.waitFor(async () => {
    const { body } = await account.call<Subscription>("GET", `${path}/${id}`);
    expect(body.data).toMatchObject({ status: "failed" });
  }, soon);
  expect(gone.received).toHaveLength(1); // 410 Gone makes it failed immediately.
  const { status, body } = await account.call("DELETE", `${path}/${id}`);
  expect([status, body.data]).toEqual([200, { id, deleted: true }]);
  expect((await account.call("GET", `${path}/${id}`)).status).toBe(404);
});

test("failures count only while they are consecutive: a success sets the count to 0", async () => {
  const flaky = await newReceiver(respondingWith(500));
  const recovered = await subscribe(account, flaky);
  await account.write(lead("flaky"));
  await failuresReach(account, recovered, 1);
  flaky.respond = respondingWith(204);
  await endBackoff(service, recovered);
  expect(await failuresReach(account, recovered, 0)).toMatchObject({
    status: "active",
    failure_reason: null,
  });
});

test.each([200, 201, 204, 299])("every 2xx is a success: %i", async (status) => {
  expect(await firstAttempt(respondingWith(status))).toMatchObject({ status: "delivered" });
});

test.each([302, 400, 404, 429, 503])(
  "every other status is a failure, and redirects are not followed: %i",
  async (status) => {
    const elsewhere = await newReceiver();
    const attributes = await firstAttempt(respondingWith(status, { location: elsewhere.url }));
    expect(attributes).toMatchObject({ status: "pending", last_attempt: { status_code: status } });
    expect(elsewhere.received).toEqual([]);
  },
);

test.each([
  [120, 120],
  [7_200, 3_600],
])(
  "Retry-After of %i seconds results in a backoff of %i seconds, at most an hour",
  async (asked, seconds) => {
    const busy = await newReceiver(respondingWith(503, { "retry-after": `${asked}` }));
    const { id } = await subscribe(account, busy);
    await account.write(lead(`busy-${asked}`));
    await vi.waitFor(async () => {
      const queue = await service.db.subscriptionQueue.findUniqueOrThrow({ where: { subscriptionId: id } });
      const wait = ((queue.circuitOpenUntil?.getTime() ?? 0) - Date.now()) / 1_000;
      expect(wait).toBeGreaterThan(seconds - 30);
      expect(wait).toBeLessThanOrEqual(seconds);
    }, soon);
  },
);

/** Sends a delivery to a receiver with this response, and returns its first attempt in the log. */
async function firstAttempt(response: Receiver["respond"]) {
  const one = await subscribe(account, await newReceiver(response));
  await account.write(lead(`attempt-${one.id}`));
  return vi.waitFor(async () => {
    const [delivery] = await deliveriesOf(one);
    expect(delivery?.attributes.attempt_count).toBe(1);
    return delivery?.attributes;
  }, soon);
}
