/** Requests that create many deliveries keep the limit of pending deliveries. */
import type { Schemas } from "@parley/contract";
import { createPool } from "@parley/database";
import { limitPendingDeliveries } from "@parley/webhooks";
import { respondingWith, soon } from "@parley/webhooks/testing";
import { expect, test, vi } from "vitest";
import { eventIds, useWebhookApi } from "../../src/testing/webhook-api.ts";

const maxPending = 3;
const silent = { info() {}, warn() {}, error() {} };

const { api, client } = useWebhookApi({ MAX_PENDING_DELIVERIES: String(maxPending) });

const url = "https://hooks.example.com/";
const pendingOf = (subscriptionId: string) => api.db.delivery.count({ where: { subscriptionId } });

/** Runs the worker's job. */
async function limit(): Promise<void> {
  const db = createPool(api.databaseUrl, { poolSize: 1 });
  await limitPendingDeliveries({ db, maxPending, notices: false, log: silent });
  await db.end();
}

test.each([
  ["in any order", {}],
  ["in order", { ordering: "record" }],
])("fill_gap of a gap beyond the limit stays below it, and sends each event, %s", async (_order, options) => {
  const receiver = await api.startReceiver(respondingWith(200));
  const { id } = await client.subscribe(receiver.url, options);
  await client.createLeads(8);
  await limit();
  expect(await client.subscription(id)).toMatchObject({ status: "failed" });
  expect(await pendingOf(id)).toBe(0);
  await api.startWorker();
  for (let resumed = 0; resumed < 5; resumed += 1) {
    expect(await client.take("POST", `/api/v1/webhooks/${id}/resume`, { fill_gap: true })).toMatchObject({
      data: { status: "active" },
      meta: { gap_deliveries: resumed < 4 ? 2 : 1 },
    });
    if (resumed === 0) await client.createLeads(1); // It joins the gap.
    await limit();
    expect(await client.subscription(id)).toMatchObject({ status: "active" });
    await vi.waitFor(async () => expect(await pendingOf(id)).toBe(0), soon);
  }
  expect(await api.db.subscription.findUnique({ where: { id } })).toMatchObject({
    gapFrom: null,
    fillingGap: false,
  });
  await client.createLeads(1);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(10), soon);
  const { organizationId } = client.tenant;
  const events = await api.db.event.findMany({ where: { organizationId }, orderBy: { sequence: "asc" } });
  expect(new Set(eventIds(receiver))).toEqual(new Set(events.map((event) => event.id)));
});

test("resuming without fill_gap ends the filling of a gap", async () => {
  const { id } = await client.subscribe(url);
  await client.createLeads(8);
  await limit();
  await client.take("POST", `/api/v1/webhooks/${id}/resume`, { fill_gap: true });
  await api.db.subscription.update({ where: { id }, data: { status: "failed", failedAt: new Date() } });
  await client.take("POST", `/api/v1/webhooks/${id}/resume`);
  await client.createLeads(1);
  expect(await pendingOf(id)).toBe(3);
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
  await client.createLeads(1);
  const withOthers = await client.call("POST", `/api/v1/webhooks/${id}/redeliver`, range);
  expect(((await withOthers.json()) as Schemas["ApiError"]).error_description).toContain(
    "The range has 3 deliveries, and the organization would have more than 3 pending ones.",
  );
  await api.db.delivery.deleteMany({ where: { subscriptionId: id } });
  expect(await client.take("POST", `/api/v1/webhooks/${id}/redeliver`, range)).toMatchObject({
    data: { deliveries: 3 },
  });
});
