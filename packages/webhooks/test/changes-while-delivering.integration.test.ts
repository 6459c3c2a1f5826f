import { createHmac } from "node:crypto";
import type { Pool, QueryConfig, QueryResult } from "pg";
import { describe, expect, test, vi } from "vitest";
import { createSigningSecret, notifyChanged } from "../src/index.ts";
import {
  advanceClock,
  attemptsReach,
  holding,
  type Received,
  readSubscription,
  respondingWith,
  soon,
  subscriptionBecomes,
  useDeliveryFixture,
  watchNotifications,
} from "../src/testing/index.ts";

// Changes of a subscription while a worker delivers to it.

const { fixture, receiver } = useDeliveryFixture();

const day = 86_400_000;

/** Changes a subscription as the API does, with a notification at the commit. */
async function change(id: string, data: object): Promise<void> {
  await fixture.db.$transaction(async (tx) => {
    await tx.subscription.update({ where: { id }, data });
    await notifyChanged(tx, id);
  });
}

const encrypted = (secret: string) => fixture.secretBox.encrypt(secret, fixture.organizationId);

/** Returns which of the secrets signed each delivery. */
function signers(received: Received[], secrets: Record<string, string>): (string | undefined)[] {
  return received.map(({ headers, body }) => {
    const text = `${headers["x-parley-timestamp"] as string}.${body}`;
    return Object.keys(secrets).find((name) => {
      const hmac = createHmac("sha256", secrets[name] ?? "")
        .update(text)
        .digest("hex");
      return headers["x-parley-signature"] === `sha256=${hmac}`;
    });
  });
}

describe("a rotated secret", () => {
  test("signs from its start time on, during the same lease", async () => {
    const { id, secret: old } = await fixture.subscribe(receiver.url);
    const next = createSigningSecret();
    const nextSecretAt = new Date(Date.now() + day);
    await change(id, { nextSecret: encrypted(next), nextSecretAt });
    const first = holding(); // Keeps the turn from ending.
    receiver.respond = (...request) =>
      receiver.received.length === 1 ? first.respond(...request) : respondingWith(200)(...request);
    await fixture.startWorker();
    for (const [i, beforeChange] of [day / 2, 10_000, 0].entries()) {
      fixture.clock.ahead = nextSecretAt.getTime() - beforeChange - Date.now();
      await fixture.publish(1);
      await vi.waitFor(() => expect(receiver.received).toHaveLength(i + 1), soon);
    }
    expect(signers(receiver.received, { old, next })).toEqual(["old", "old", "next"]);
    first.release(respondingWith(200));
    await attemptsReach(fixture, 3);
  });

  test("signs the retry of a delivery that the old secret signed", async () => {
    receiver.respond = respondingWith(500);
    const { id, secret: old } = await fixture.subscribe(receiver.url);
    const next = createSigningSecret();
    await change(id, { nextSecret: encrypted(next), nextSecretAt: new Date(Date.now() + 60_000) });
    await fixture.startWorker();
    await fixture.publish(1);
    await attemptsReach(fixture, 1);
    await advanceClock(fixture, 60_000);
    await attemptsReach(fixture, 2);
    expect(signers(receiver.received, { old, next })).toEqual(["old", "next"]);
  });

  test("signs fetched deliveries immediately on request", async () => {
    const { id, secret: old } = await fixture.subscribe(receiver.url);
    const first = holding();
    receiver.respond = first.respond;
    const { connect, received } = watchNotifications(fixture.databaseUrl, "changed");
    await fixture.startWorker({ connect, maxInFlightPerSubscription: 1 });
    await fixture.publish(4);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);

    const next = createSigningSecret();
    await change(id, { secret: encrypted(next) });
    await received();
    first.release(respondingWith(200));
    await attemptsReach(fixture, 4);
    expect(signers(receiver.received, { old, next })).toEqual(["old", "next", "next", "next"]);
  });
});

describe("a secret that cannot be decrypted", () => {
  const unreadable = Buffer.from("not encrypted");
  const reason =
    "the signing secret, the signing key or `headers` cannot be decrypted: rotate the secret and the key with `immediately`, and set `headers` again";

  test("is shown as a failure, and delivery resumes after a rotation", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.db.subscription.update({ where: { id }, data: { secret: unreadable } });
    const moves: string[] = [];
    const observer = {
      sending() {},
      attempted() {},
      subscriptionChanged: (state: string) => void moves.push(state),
    };
    await fixture.startWorker({ notices: true, observer });
    await fixture.publish(2);
    await subscriptionBecomes(fixture, id, { status: "active", failureCount: 1, failureReason: reason });
    expect(receiver.received).toHaveLength(0);

    const next = createSigningSecret();
    await change(id, { secret: encrypted(next) });
    await attemptsReach(fixture, 2);
    expect(signers(receiver.received, { next })).toEqual(["next", "next"]);
    await subscriptionBecomes(fixture, id, { failureCount: 0, failureReason: null });
    const notices = await fixture.db.notice.findMany({ orderBy: { id: "asc" } });
    expect(notices.map(({ type }) => type)).toEqual(["subscription.failing", "subscription.recovered"]);
    expect(moves).toEqual(["failing", "recovered"]);
  });

  test("is retried each minute, because another worker may have the key", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    const { secret } = await readSubscription(fixture, id);
    await fixture.db.subscription.update({ where: { id }, data: { secret: unreadable } });
    await fixture.startWorker();
    await fixture.publish(1);
    await subscriptionBecomes(fixture, id, { failureReason: reason });
    await fixture.db.subscription.update({ where: { id }, data: { secret } });
    await advanceClock(fixture, 60_000);
    await attemptsReach(fixture, 1);
    expect(receiver.received).toHaveLength(1);
  });

  test("does not prevent delivery after the next secret has started to sign", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    const next = createSigningSecret();
    const rotated = { secret: unreadable, nextSecret: encrypted(next), nextSecretAt: new Date() };
    await fixture.db.subscription.update({ where: { id }, data: rotated });
    await fixture.startWorker();
    await fixture.publish(1);
    await attemptsReach(fixture, 1);
    expect(signers(receiver.received, { next })).toEqual(["next"]);
  });
});

describe("another URL", () => {
  test("gets pending deliveries; later failures of the old URL do not open the circuit", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    const slow = holding();
    receiver.respond = slow.respond;
    await fixture.publish(20);
    await fixture.startWorker();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(8), soon);

    const other = await fixture.startReceiver();
    await change(id, { targetUrl: other.url });
    slow.release(respondingWith(410));
    await vi.waitFor(() => expect(other.received).toHaveLength(12), soon);
    expect(await readSubscription(fixture, id)).toMatchObject({ status: "active", failureCount: 0 });
    await advanceClock(fixture, 6_000);
    await vi.waitFor(() => expect(other.received).toHaveLength(20), soon);
    expect(receiver.received).toHaveLength(8);
  });

  test("is used even if it was set while a worker was reading the old URL", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    const other = await fixture.startReceiver();
    const { db, reading, goOn } = stoppingAfter("take-leases");
    const { connect, received } = watchNotifications(fixture.databaseUrl, "changed");
    await fixture.startWorker({ db, connect });
    await fixture.publish(1);
    await reading;
    await change(id, { targetUrl: other.url });
    await received();
    goOn();
    await vi.waitFor(() => expect(other.received).toHaveLength(1), soon);
    expect(receiver.received).toHaveLength(0);
  });
});

/** Returns a pool that delays the response to the first statement of a name that returns rows. */
function stoppingAfter(name: string): { db: Pool; reading: Promise<void>; goOn: () => void } {
  const read = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  async function query(config: QueryConfig): Promise<QueryResult> {
    const response = await fixture.pool.query(config);
    if (config.name === name && response.rowCount) {
      read.resolve();
      await late.promise;
    }
    return response;
  }
  return { db: { query } as unknown as Pool, reading: read.promise, goOn: late.resolve };
}

test("handles a notification with an ID in upper case", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  const other = await fixture.subscribe(receiver.url);
  await fixture.startWorker();
  await fixture.publish(1);
  await attemptsReach(fixture, 2);
  const moved = await fixture.startReceiver();
  await fixture.db.$transaction(async (tx) => {
    await tx.subscription.update({ where: { id }, data: { targetUrl: moved.url } });
    await notifyChanged(tx, id.toUpperCase());
  });
  await fixture.db.$executeRaw`
    SELECT pg_notify('parley_webhooks', ${JSON.stringify({ kind: "pending", subscriptions: [id.toUpperCase(), other.id] })})`;
  await fixture.publish(1);
  await vi.waitFor(() => expect(moved.received).toHaveLength(1), soon);
  await attemptsReach(fixture, 4);
});
