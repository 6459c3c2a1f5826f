/** Requests that create many deliveries keep the limit of pending deliveries. */
import type { Schemas } from "@parley/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type Client,
  createClient,
  startWebhookApi,
  type WebhookApi,
} from "../../src/testing/webhook-api.ts";

let api: WebhookApi;
let client: Client;
beforeAll(async () => {
  api = await startWebhookApi({ MAX_PENDING_DELIVERIES: "3" });
});
afterAll(() => api.close());
beforeEach(async () => {
  client = await createClient(api);
});

const url = "https://hooks.example.com/";
const pendingOf = (subscriptionId: string) => api.db.delivery.count({ where: { subscriptionId } });

/** Creates events, one per millisecond from a time on. */
async function createEvents(count: number, from: Date): Promise<void> {
  await api.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT uuidv7(), ${client.tenant.organizationId}::uuid, 'lead.created', '{}', ${from}::timestamptz + i * interval '1 ms'
    FROM generate_series(1, ${count}::int) AS i`;
}

test("fill_gap stops at the limit, and says from when on to read the events", async () => {
  const { id } = await client.subscribe(url);
  const from = new Date(Date.now() - 3_600_000);
  await createEvents(5_002, from);
  await api.db.subscription.update({
    where: { id },
    data: {
      status: "failed",
      failedAt: from,
      gapFrom: from,
      failureReason: "the receiver responded with 503",
    },
  });
  const response = await client.call("POST", `/api/v1/webhooks/${id}/resume`, { fill_gap: true });
  expect(response.status).toBe(400);
  const time = new Date(from.getTime() + 5_000).toISOString();
  expect(((await response.json()) as Schemas["ApiError"]).error_description).toBe(
    `body/fill_gap cannot be used: the organization would have more than 3 pending deliveries. Resume without it to send the events before ${time}, and read the later ones with GET /api/v1/events?since=${time}.`,
  );
  expect(await client.subscription(id)).toMatchObject({ status: "failed" });
  expect(await pendingOf(id)).toBe(4_999);
  const { organizationId } = client.tenant;
  expect(await api.db.event.count({ where: { organizationId, createdAt: { gte: time } } })).toBe(3);
  await client.take("POST", `/api/v1/webhooks/${id}/resume`);
  expect(await pendingOf(id)).toBe(4_999);
});

test("a range is not redelivered beyond the limit", async () => {
  const { id } = await client.subscribe(url);
  await client.createLeads(4);
  await api.db.$executeRaw`
    WITH finished AS (DELETE FROM deliveries WHERE subscription_id = ${id}::uuid RETURNING *)
    INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id, event_type, outcome, duration_ms)
    SELECT id, 1, now(), organization_id, subscription_id, event_id, 'lead.created', 'delivered', 1 FROM finished`;
  const range = { since: new Date(Date.now() - 60_000).toISOString(), status: "delivered" };
  const refused = await client.call("POST", `/api/v1/webhooks/${id}/redeliver`, range);
  expect(refused.status).toBe(400);
  expect(((await refused.json()) as Schemas["ApiError"]).error_description).toBe(
    "The range has 4 deliveries, and the organization would have more than 3 pending ones. Nothing was changed. Choose a shorter range.",
  );
  expect(await pendingOf(id)).toBe(0);
  await api.db
    .$executeRaw`DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT delivery_id FROM delivery_attempts WHERE subscription_id = ${id}::uuid LIMIT 1)`;
  expect(await client.take("POST", `/api/v1/webhooks/${id}/redeliver`, range)).toMatchObject({
    data: { deliveries: 3 },
  });
});
