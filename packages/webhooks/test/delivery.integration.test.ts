import { createHmac } from "node:crypto";
import { checkEvent } from "@parley/contract/testing";
import type { Pool, QueryConfig } from "pg";
import { describe, expect, test } from "vitest";
import {
  attemptsReach,
  createSubscriptionWithBacklog,
  leadCreated,
  useDeliveryFixture,
} from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();

describe("a delivery", () => {
  test("arrives once, also with a plan of PostgreSQL that joins events in another order", async () => {
    // Without rows in the statistics, PostgreSQL joins with a hash table of the deliveries.
    await fixture.db.$executeRaw`VACUUM ANALYZE deliveries, events, subscription_queues, subscriptions`;
    for (let i = 0; i < 2; i += 1) await createSubscriptionWithBacklog(fixture, receiver.url, 100);
    await fixture.startWorker({ maxInFlight: 16, maxInFlightPerSubscription: 8 });
    await attemptsReach(fixture, 200);
    expect(receiver.received).toHaveLength(200);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(200);
  });

  test("is signed in the documented format, arrives once, and is logged", async () => {
    const { id, secret } = await fixture.subscribe(receiver.url);
    await fixture.startWorker();
    await fixture.publish(1);
    await attemptsReach(fixture, 1);

    expect(receiver.received).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    const timestamp = headers["x-parley-timestamp"] as string;
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    expect(headers["x-parley-signature"]).toBe(
      `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
    );
    expect(headers["x-parley-event"]).toBe("lead.created");
    expect(headers["webhook-id"]).toBe(headers["x-parley-delivery"]);
    expect(headers["webhook-signature"]).toBe(
      `v1,${createHmac("sha256", secret)
        .update(`${headers["webhook-id"] as string}.${timestamp}.${body}`)
        .digest("base64")}`,
    );
    expect(checkEvent("lead.created", JSON.parse(body))).toEqual([]);
    expect(body).toContain("Zoë 🦊");

    expect(await fixture.db.delivery.count()).toBe(0);
    const attempt = await fixture.db.deliveryAttempt.findFirstOrThrow();
    expect(attempt).toMatchObject({
      deliveryId: headers["x-parley-delivery"],
      subscriptionId: id,
      organizationId: fixture.organizationId,
      eventType: "lead.created",
      attempt: 1,
      outcome: "delivered",
      statusCode: 200,
      error: null,
      responseBody: "thanks",
    });
  });

  test("goes only to matching subscriptions of the organization", async () => {
    const other = await fixture.db.organization.create({ data: { name: "Other", plan: "pro" } });
    const { id: chatbotId } = await fixture.db.chatbot.create({
      data: { organizationId: fixture.organizationId, name: "Bot", model: "parley-small" },
    });
    const all = await fixture.subscribe(receiver.url);
    const filtered = await fixture.subscribe(receiver.url, { chatbotId });
    await fixture.subscribe(receiver.url, { eventTypes: ["lead.updated"] });
    await fixture.subscribe(receiver.url, { status: "failed" });
    await fixture.subscribe(receiver.url, { organizationId: other.id });
    await fixture.publish(1, chatbotId);
    await fixture.publish(1, "01928c5e-7a10-7c44-8d21-0b6de2f0a002");
    await fixture.publish(1, null);

    const due = await fixture.db.delivery.groupBy({ by: ["subscriptionId"], _count: true });
    expect(Object.fromEntries(due.map((row) => [row.subscriptionId, row._count]))).toEqual({
      [all.id]: 3,
      [filtered.id]: 1,
    });
  });

  test("is not written when the change is rolled back", async () => {
    await fixture.subscribe(receiver.url);
    const change = fixture.publisher.change(fixture.organizationId, async ({ publish }) => {
      publish(leadCreated(null));
      throw new Error("changed my mind");
    });
    await expect(change).rejects.toThrow("changed my mind");
    expect(await fixture.db.event.count()).toBe(0);
    expect(await fixture.db.delivery.count()).toBe(0);
  });

  test("that was published while no worker ran is delivered later", async () => {
    await fixture.subscribe(receiver.url);
    await fixture.publish(20);
    await fixture.startWorker();
    await attemptsReach(fixture, 20);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-parley-delivery"])).size).toBe(20);
  });

  test("is read without the rows of earlier deliveries, which PostgreSQL cannot remove while an old snapshot is open", async () => {
    await fixture.subscribe(receiver.url);
    const beginnings: string[] = [];
    const query = async (config: QueryConfig) => {
      const result = await fixture.pool.query(config);
      if (config.name === "fetch-pending") {
        for (const { afterAt } of JSON.parse(config.values?.[2])) beginnings.push(afterAt);
      }
      return result;
    };
    await fixture.startWorker({ db: { query } as unknown as Pool });
    const from = Date.now();
    for (let count = 1; count <= 3; count += 1) {
      await fixture.publish(1);
      await attemptsReach(fixture, count);
    }
    expect(beginnings[0]).toBe("-infinity");
    expect(Date.parse(beginnings.at(-1) ?? "")).toBeGreaterThan(from - 11_000);
  });

  test("is logged with the first KiB of a long response", async () => {
    receiver.respond = (response) => response.end("x".repeat(500_000));
    await fixture.subscribe(receiver.url);
    await fixture.startWorker();
    await fixture.publish(1);
    await attemptsReach(fixture, 1);
    const { outcome, responseBody } = await fixture.db.deliveryAttempt.findFirstOrThrow();
    expect(outcome).toBe("delivered");
    expect(responseBody).toBe("x".repeat(1024));
  });
});

describe("two workers", () => {
  test("share the work without sending twice", async () => {
    for (let i = 0; i < 10; i += 1) await fixture.subscribe(receiver.url);
    for (let i = 0; i < 2; i += 1) await fixture.startWorker();
    await fixture.publish(20);
    await attemptsReach(fixture, 200);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-parley-delivery"])).size).toBe(200);
    expect(receiver.received).toHaveLength(200);
  });
});

describe("faults", () => {
  test("a worker recovers after its database session is lost, and delivers pending deliveries", async () => {
    await fixture.subscribe(receiver.url);
    await fixture.startWorker();
    await fixture.publish(1);
    await attemptsReach(fixture, 1);
    await fixture.db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await fixture.publish(10);
    await attemptsReach(fixture, 11);
    expect(await fixture.db.delivery.count()).toBe(0);
  });

  test("the leases of a dead worker are taken over", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: 42n } });
    await fixture.publish(3);
    await fixture.startWorker({ intervals: { sweepMs: 200 } });
    await attemptsReach(fixture, 3);
  });
});
