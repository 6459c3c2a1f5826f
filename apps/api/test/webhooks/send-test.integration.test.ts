import { createHmac, randomUUID } from "node:crypto";
import { eventTypes, type Schemas } from "@parley/contract";
import { checkEvent } from "@parley/contract/testing";
import { holding, type Receiver, respondingWith, soon } from "@parley/webhooks/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Client, createClient, startWebhookApi, useWebhookApi } from "../../src/testing/webhook-api.ts";

const { api } = useWebhookApi({ DELIVERY_TIMEOUT_MS: "20000", DATABASE_POOL_SIZE: "4" });
let client: Client;
let receiver: Receiver;
beforeEach(async () => {
  client = await createClient(api);
  receiver = await api.startReceiver();
});

type Delivery = Schemas["Delivery"];
async function sendTest(id: string, body?: object): Promise<Delivery> {
  return (await client.take<{ data: Delivery }>("POST", `/api/v1/webhooks/${id}/test`, body)).data;
}

describe("a test", () => {
  test.each(eventTypes)("of %s is a signed delivery with the member test", async (type) => {
    const { id, secret } = await client.subscribe(receiver.url);
    receiver.respond = (response) => response.end("thanks");
    const { id: deliveryId, attributes } = await sendTest(id, { event_type: type });
    expect(attributes).toMatchObject({
      subscription_id: id,
      event_type: type,
      test: true,
      status: "delivered",
      attempt_count: 1,
      next_attempt_at: null,
      last_attempt: { number: 1, status_code: 200, error: null, response_body: "thanks" },
    });
    const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
    const event = JSON.parse(body) as { id: string; created_at: string; test: boolean };
    expect(checkEvent(type, event)).toEqual([]);
    expect(event).toMatchObject({ test: true, id: attributes.event_id, created_at: attributes.created_at });
    expect(headers).toMatchObject({ "x-parley-event": type, "x-parley-delivery": deliveryId });
    const text = `${headers["x-parley-timestamp"] as string}.${body}`;
    expect(headers["x-parley-signature"]).toBe(
      `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`,
    );
    expect(Math.abs(Number(headers["x-parley-timestamp"]) * 1_000 - Date.now())).toBeLessThan(60_000);
  });

  test("uses the subscription's first type by default, and rejects unknown types", async () => {
    const { id } = await client.subscribe(receiver.url, { event_types: ["ticket.resolved", "lead.created"] });
    expect((await sendTest(id)).attributes.event_type).toBe("ticket.resolved");
    const response = await client.call("POST", `/api/v1/webhooks/${id}/test`, {
      event_type: "lead.exploded",
    });
    expect(response.status).toBe(400);
    expect(receiver.received).toHaveLength(1);
  });

  test("is in the log and changes nothing else", async () => {
    receiver.respond = respondingWith(410, { "retry-after": "3600" });
    const { id } = await client.subscribe(receiver.url);
    const before = await client.subscription(id);
    const delivery = await sendTest(id);
    expect(delivery.attributes).toMatchObject({
      status: "exhausted",
      last_attempt: { error: "the receiver responded with 410" },
    });
    expect(await client.subscription(id)).toEqual(before);
    const list = await client.take<{ data: Delivery[] }>("GET", `/api/v1/webhooks/${id}/deliveries`);
    expect(list.data).toEqual([delivery]);
    const one = await client.take<{ data: { attributes: object } }>(
      "GET",
      `/api/v1/webhooks/${id}/deliveries/${delivery.id}`,
    );
    expect(one.data.attributes).toMatchObject({
      test: true,
      body: receiver.received[0]?.body,
      attempts: [delivery.attributes.last_attempt],
    });
    const { organizationId } = client.tenant;
    expect(await api.db.event.count({ where: { organizationId } })).toBe(0);
    expect(await api.db.delivery.count({ where: { organizationId } })).toBe(0);
  });

  test("is sent to a failed subscription, which stays failed", async () => {
    const { id } = await client.subscribe(receiver.url);
    const wrong = { status: "failed", failedAt: new Date(), failureCount: 5, failureReason: "down" };
    await api.db.subscription.update({ where: { id }, data: wrong });
    expect((await sendTest(id)).attributes.status).toBe("delivered");
    expect(await client.subscription(id)).toMatchObject({
      status: "failed",
      failure_count: 5,
      failure_reason: "down",
    });
  });

  test("returns the error if the receiver refuses connections", async () => {
    const { id } = await client.subscribe("http://127.0.0.1:9/");
    expect((await sendTest(id)).attributes).toMatchObject({
      status: "exhausted",
      last_attempt: { status_code: null, error: "connect: the connection was refused", response_body: null },
    });
  });

  test("is not sent to a blocked address", async () => {
    const strict = await startWebhookApi({ WEBHOOKS_ALLOW_LOOPBACK: "false" });
    client = await createClient(strict);
    const { id } = await client.subscribe("https://hooks.example.com/");
    for (const targetUrl of [receiver.url, receiver.url.replace("127.0.0.1", "localhost")]) {
      await strict.db.subscription.update({ where: { id }, data: { targetUrl } });
      const { attributes } = await sendTest(id);
      expect(attributes.last_attempt?.error).toMatch(
        /^blocked address: |^DNS: .* has a private, local or reserved address/,
      );
    }
    expect(receiver.received).toHaveLength(0);
    await strict.close();
  });

  test("returns an error and sends nothing if the secret cannot be decrypted", async () => {
    const { id } = await client.subscribe(receiver.url);
    await api.db.subscription.update({ where: { id }, data: { secret: Buffer.from("not encrypted") } });
    expect((await sendTest(id)).attributes).toMatchObject({
      status: "exhausted",
      last_attempt: {
        error:
          "the signing secret, the signing key or `headers` cannot be decrypted: rotate the secret and the key with `immediately`, and set `headers` again",
        status_code: null,
      },
    });
    expect(receiver.received).toHaveLength(0);
  });

  test("to a receiver that does not respond uses no transaction and no database connection", async () => {
    const hanging = holding();
    receiver.respond = hanging.respond;
    const { id } = await client.subscribe(receiver.url);
    const tests = Array.from({ length: 6 }, () => sendTest(id)); // More than the pool has connections.
    await vi.waitFor(() => expect(receiver.received).toHaveLength(6), soon);
    const open = await api.db.$queryRaw<object[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    expect(open).toEqual([]);
    await client.createLeads(1);
    hanging.release(respondingWith(204));
    for (const { attributes } of await Promise.all(tests)) expect(attributes.status).toBe("delivered");
  });

  test("is sent once with an Idempotency-Key, which returns the first response again", async () => {
    const { id } = await client.subscribe(receiver.url);
    const key = randomUUID();
    const path = `/api/v1/webhooks/${id}/test`;
    const first = await client.post(path, { event_type: "lead.created" }, key);
    const again = await client.post(path, { event_type: "lead.created" }, key);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual(await first.json());
    expect((await client.post(path, { event_type: "lead.updated" }, key)).status).toBe(400);
    expect(receiver.received).toHaveLength(1);
    await api.db.idempotencyKey.updateMany({
      where: { key: { endsWith: key } },
      data: { createdAt: new Date(Date.now() - 86_400_001) },
    });
    expect((await client.post(path, undefined, key)).headers.get("idempotent-replayed")).toBeNull();
    expect(receiver.received).toHaveLength(2);
  });

  test("returns the first response for its Idempotency-Key after the subscription was deleted", async () => {
    const { id } = await client.subscribe(receiver.url);
    const key = randomUUID();
    const path = `/api/v1/webhooks/${id}/test`;
    const first = await client.post(path, undefined, key);
    await client.take("DELETE", `/api/v1/webhooks/${id}`);
    expect(await (await client.post(path, undefined, key)).json()).toEqual(await first.json());
    expect(receiver.received).toHaveLength(1);
  });

  test("is sent once for concurrent requests", async () => {
    const hanging = holding();
    receiver.respond = hanging.respond;
    const { id } = await client.subscribe(receiver.url);
    const key = randomUUID();
    const twins = Array.from({ length: 3 }, () => client.post(`/api/v1/webhooks/${id}/test`, undefined, key));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
    hanging.release(respondingWith(200));
    const [first, ...others] = await Promise.all(
      (await Promise.all(twins)).map((response) => response.json()),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(receiver.received).toHaveLength(1);
  });

  test("requires a subscription of the organization", async () => {
    const { id } = await client.subscribe(receiver.url);
    const stranger = await createClient(api);
    expect((await stranger.call("POST", `/api/v1/webhooks/${id}/test`)).status).toBe(404);
    expect(receiver.received).toHaveLength(0);
  });
});
