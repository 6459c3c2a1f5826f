import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { checkEvent } from "@parley/contract/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  attemptsReach,
  type Bench,
  leadCreated,
  type Receiver,
  startBench,
  startReceiver,
} from "../src/testing/index.ts";

let bench: Bench;
let receiver: Receiver;

beforeEach(async () => {
  bench = await startBench();
  receiver = await startReceiver();
});
afterEach(async () => {
  await bench.close();
  await receiver.close();
});

describe("a delivery", () => {
  test("is signed as the specification says, arrives once, and is logged", async () => {
    const { id, secret } = await bench.subscribe(receiver.url);
    await bench.startWorker();
    await bench.publish(1);
    await attemptsReach(bench, 1);

    expect(receiver.received).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    const timestamp = headers["x-parley-timestamp"] as string;
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(5);
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

    expect(await bench.db.delivery.count()).toBe(0);
    const attempt = await bench.db.deliveryAttempt.findFirstOrThrow();
    expect(attempt).toMatchObject({
      deliveryId: headers["x-parley-delivery"],
      subscriptionId: id,
      organizationId: bench.organizationId,
      eventType: "lead.created",
      attempt: 1,
      outcome: "delivered",
      statusCode: 200,
      error: null,
      responseBody: "thanks",
    });
  });

  test("goes to matching subscriptions of the organization alone", async () => {
    const other = await bench.db.organization.create({ data: { name: "Other", plan: "pro" } });
    const { id: chatbotId } = await bench.db.chatbot.create({
      data: { organizationId: bench.organizationId, name: "Bot", model: "parley-small" },
    });
    const all = await bench.subscribe(receiver.url);
    const filtered = await bench.subscribe(receiver.url, { chatbotId });
    await bench.subscribe(receiver.url, { eventTypes: ["lead.updated"] });
    await bench.subscribe(receiver.url, { status: "failed" });
    await bench.subscribe(receiver.url, { organizationId: other.id });
    await bench.publish(1, chatbotId);
    await bench.publish(1, "01928c5e-7a10-7c44-8d21-0b6de2f0a002");
    await bench.publish(1, null);

    const due = await bench.db.delivery.groupBy({ by: ["subscriptionId"], _count: true });
    expect(Object.fromEntries(due.map((row) => [row.subscriptionId, row._count]))).toEqual({
      [all.id]: 3,
      [filtered.id]: 1,
    });
  });

  test("is not written when the change is rolled back", async () => {
    await bench.subscribe(receiver.url);
    const change = bench.publisher.change(bench.organizationId, async ({ publish }) => {
      publish(leadCreated(null));
      throw new Error("changed my mind");
    });
    await expect(change).rejects.toThrow("changed my mind");
    expect(await bench.db.event.count()).toBe(0);
    expect(await bench.db.delivery.count()).toBe(0);
  });

  test("that was published while no worker ran is delivered later", async () => {
    await bench.subscribe(receiver.url);
    await bench.publish(20);
    await bench.startWorker();
    await attemptsReach(bench, 20);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-parley-delivery"])).size).toBe(20);
  });
});

describe("two workers", () => {
  test("share the work and send nothing twice", async () => {
    for (let i = 0; i < 10; i += 1) await bench.subscribe(receiver.url);
    for (let i = 0; i < 2; i += 1) await bench.startWorker({ timeoutMs: 10_000 }); // What is late would go out again.
    await bench.publish(40);
    await attemptsReach(bench, 400);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-parley-delivery"])).size).toBe(400);
    expect(receiver.received).toHaveLength(400);
  });
});

describe("the log says why an attempt failed", () => {
  test.each([
    [
      "a status",
      (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      "the receiver answered 302",
    ],
    ["no answer in time", () => {}, "time-out: no answer within 300 ms"],
    [
      "a closed connection",
      (response) => response.destroy(),
      "connection: the receiver closed it before answering",
    ],
  ] satisfies [string, Receiver["answer"], string][])("%s", async (_name, answer, words) => {
    receiver.answer = answer;
    await bench.subscribe(receiver.url);
    await bench.startWorker({ timeoutMs: 300 });
    await bench.publish(1);
    await attemptsReach(bench, 1);
    expect(await bench.db.deliveryAttempt.findFirstOrThrow()).toMatchObject({
      outcome: "failed",
      error: words,
    });
    expect(receiver.received).toHaveLength(1); // A redirect is not followed.
  });

  test("no connection in time", async () => {
    const silent = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(silent, "listening");
    await bench.subscribe(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
    await bench.startWorker({ timeoutMs: 300 });
    await bench.publish(1);
    await attemptsReach(bench, 1);
    const { outcome, error } = await bench.db.deliveryAttempt.findFirstOrThrow();
    expect([outcome, error]).toEqual(["failed", "time-out: no answer within 300 ms"]);
    silent.close();
  });

  test("an address that is not public", async () => {
    const { createHttpClient } = await import("../src/index.ts");
    const client = createHttpClient({ connectTimeoutMs: 500, allowLoopback: false });
    await bench.subscribe(receiver.url);
    await bench.subscribe(receiver.url.replace("127.0.0.1", "localhost"));
    await bench.startWorker({ client });
    await bench.publish(1);
    await attemptsReach(bench, 2);
    for (const { error } of await bench.db.deliveryAttempt.findMany())
      expect(error).toMatch(/^blocked address: /);
    expect(receiver.received).toHaveLength(0);
    await client.destroy();
  });

  test("the first KiB of a long answer is kept", async () => {
    receiver.answer = (response) => response.end("x".repeat(500_000));
    await bench.subscribe(receiver.url);
    await bench.startWorker();
    await bench.publish(1);
    await attemptsReach(bench, 1);
    const { outcome, responseBody } = await bench.db.deliveryAttempt.findFirstOrThrow();
    expect(outcome).toBe("delivered");
    expect(responseBody).toBe("x".repeat(1024));
  });
});

describe("faults", () => {
  test("a worker whose database session is cut comes back, and what was due is delivered", async () => {
    await bench.subscribe(receiver.url);
    await bench.startWorker();
    await bench.publish(1);
    await attemptsReach(bench, 1);
    await bench.db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await bench.publish(10);
    await attemptsReach(bench, 11);
    expect(await bench.db.delivery.count()).toBe(0);
  });

  test("the leases of a dead worker are taken over", async () => {
    const { id } = await bench.subscribe(receiver.url);
    await bench.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: 42n } });
    await bench.publish(3);
    const before = Date.now();
    await bench.startWorker();
    await attemptsReach(bench, 3);
    expect(Date.now() - before).toBeLessThan(3_000);
  });
});
