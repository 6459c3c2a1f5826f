/** The log derives the request of each attempt from the subscription as it was then. */
import type { Schemas } from "@parley/contract";
import { createPool } from "@parley/database";
import { removeOldVersions } from "@parley/webhooks";
import { type Receiver, respondingWith, soon } from "@parley/webhooks/testing";
import { beforeEach, expect, test, vi } from "vitest";
import { useWebhookApi } from "../../src/testing/webhook-api.ts";

const { api, client } = useWebhookApi();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await api.startReceiver((response) => response.setHeader("x-request-id", "abc").end());
});

type Attempt = Schemas["DeliveryAttempt"];

/** Publishes an event, and waits until it is delivered and logged. */
async function deliver(id: string): Promise<void> {
  const before = await api.db.deliveryAttempt.count({ where: { subscriptionId: id } });
  await client.createLeads(1);
  await vi.waitFor(async () => {
    expect(await api.db.deliveryAttempt.count({ where: { subscriptionId: id } })).toBe(before + 1);
  }, soon);
}

async function lastAttempt(id: string, deliveryId: unknown): Promise<Attempt | undefined> {
  const path = `/api/v1/webhooks/${id}/deliveries/${String(deliveryId)}`;
  const { data } = await client.take<{ data: Schemas["DeliveryDetails"] }>("GET", path);
  return data.attributes.attempts.at(-1);
}

/** The headers of a received request that Parley sets, with redacted values of custom ones. */
function sentHeaders({ headers }: Receiver["received"][number]): Record<string, unknown> {
  const { host: _host, connection: _connection, "content-length": _length, ...sent } = headers;
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, name.startsWith("x-own-") ? "[redacted]" : value]),
  );
}

test("each request is shown as it was sent, though URL, headers and secrets changed later", async () => {
  const { id } = await client.subscribe(receiver.url, { headers: { "x-own-a": "1" } });
  const path = `/api/v1/webhooks/${id}`;
  const update = (body: object) => client.take("PATCH", path, body);
  const urls = [receiver.url];
  await api.startWorker();
  await deliver(id);
  await update({ target_url: `${receiver.url}/second`, headers: { "x-own-b": "2", "x-own-c": "3" } });
  await deliver(id);
  await client.take("POST", `${path}/rotate-secret`, { immediately: true });
  await deliver(id);
  await client.take("POST", `${path}/rotate-secret`);
  await deliver(id);
  api.clock.ahead = 25 * 3_600_000;
  await deliver(id);
  await update({ public_key_signature: true, headers: {} });
  await deliver(id);
  urls.push(...Array.from({ length: 5 }, () => `${receiver.url}/second`));

  expect(receiver.received).toHaveLength(6);
  for (const [index, received] of receiver.received.entries()) {
    const attempt = await lastAttempt(id, received.headers["x-parley-delivery"]);
    expect(attempt?.request).toEqual({ url: urls[index], headers: sentHeaders(received) });
    expect(attempt?.response_headers).toMatchObject({ "x-request-id": "abc" });
    expect(attempt?.timings?.first_byte_ms).toEqual(expect.any(Number));
  }
  expect(receiver.received[5]?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1a,\S+$/);
});

test("a test delivery shows its request too", async () => {
  receiver.respond = respondingWith(500);
  const { id } = await client.subscribe(receiver.url, { public_key_signature: true });
  const { data } = await client.take<{ data: Schemas["Delivery"] }>("POST", `/api/v1/webhooks/${id}/test`);
  const [received] = receiver.received;
  expect((await lastAttempt(id, data.id))?.request?.headers).toEqual(received && sentHeaders(received));
});

test("an update that does not change requests keeps the version, and old versions are removed with the log", async () => {
  const { id } = await client.subscribe(receiver.url);
  const update = (body: object) => client.take("PATCH", `/api/v1/webhooks/${id}`, body);
  await update({ event_types: ["lead.created", "lead.updated"], rate_limit: 100 });
  expect(await api.db.subscriptionVersion.count({ where: { subscriptionId: id } })).toBe(0);
  await update({ target_url: `${receiver.url}/2` });
  await update({ target_url: `${receiver.url}/3` });
  await api.startWorker();
  await deliver(id);
  await api.db.$executeRaw`
    UPDATE subscription_versions SET replaced_at = now() - interval '31 days 1 hour' WHERE subscription_id = ${id}::uuid AND version = 1`;
  const pool = createPool(api.databaseUrl, { poolSize: 1 });
  expect(await removeOldVersions(pool, 30)).toBe(1);
  await pool.end();
  expect(await api.db.subscriptionVersion.count({ where: { subscriptionId: id } })).toBe(1);
  const [received] = receiver.received;
  expect((await lastAttempt(id, received?.headers["x-parley-delivery"]))?.request?.url).toBe(
    `${receiver.url}/3`,
  );
});

test("a request has no signatures if its event is no longer stored, and is missing if its values are not", async () => {
  const { id } = await client.subscribe(receiver.url);
  await api.startWorker();
  await deliver(id);
  const [received] = receiver.received;
  const deliveryId = received?.headers["x-parley-delivery"];
  await api.db.event.deleteMany({ where: { organizationId: client.tenant.organizationId } });
  const attempt = await lastAttempt(id, deliveryId);
  expect(attempt?.request?.headers).toMatchObject({ "x-parley-delivery": deliveryId });
  expect(attempt?.request?.headers).not.toHaveProperty("x-parley-signature");
  await api.db.deliveryAttempt.updateMany({ where: { subscriptionId: id }, data: { version: 99 } });
  expect(await lastAttempt(id, deliveryId)).not.toHaveProperty("request");
});
