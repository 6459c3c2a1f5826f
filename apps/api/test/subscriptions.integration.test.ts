import type { Schemas } from "@parley/contract";
import { expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant } from "../src/testing/factories.ts";

const api = useApi({ MAX_SUBSCRIPTIONS: "5" });

const wanted = {
  target_url: "https://hooks.example.com/parley?x=1",
  event_types: ["lead.created", "ticket.resolved"],
};

test("returns the secret once, and not in the list", async () => {
  const tenant = await createTenant(api.db);
  const call = as(api, tenant);
  const created = await call("POST", "/api/v1/webhooks/subscribe", {
    ...wanted,
    filters: { chatbot_id: tenant.chatbotId },
  });
  expect(created.status).toBe(201);
  const { data, meta } = (await created.json()) as { data: Schemas["CreatedSubscription"]; meta: object };
  expect(meta).toEqual({ api_version: "2024-01-01" });
  expect(Object.keys(data).sort()).toEqual(
    ["created_at", "event_types", "filters", "id", "secret", "status", "target_url"].sort(),
  );
  expect(data).toMatchObject({ ...wanted, filters: { chatbot_id: tenant.chatbotId }, status: "active" });
  expect(data.secret).toMatch(/^parley_ws_[\w-]{43}$/);
  expect(created.headers.get("location")).toBe(`/api/v1/webhooks/${data.id}`);

  const list = (await (await call("GET", "/api/v1/webhooks")).json()) as { data: object[]; meta: object };
  expect(list.meta).toEqual({ api_version: "2024-01-01", total: 1, count: 1 });
  const { secret, ...shown } = data;
  const calm = { failed_at: null, failure_reason: null, last_delivery_at: null, rotates_at: null };
  const created_by = {
    user: { id: tenant.userId, name: "Uma User" },
    client: { id: "test-client", name: "Test client" },
  };
  expect(list.data).toEqual([
    { ...shown, failure_count: 0, ...calm, created_by, updated_at: expect.any(String) },
  ]);
  const one = (await (await call("GET", `/api/v1/webhooks/${data.id}`)).json()) as { data: object };
  expect(one.data).toEqual(list.data[0]);

  const row = await api.db.subscription.findUniqueOrThrow({ where: { id: data.id } });
  expect(Buffer.from(row.secret).includes(secret.slice("parley_ws_".length))).toBe(false);

  const deleted = await call("DELETE", `/api/v1/webhooks/${data.id}`);
  expect(await deleted.json()).toEqual({
    data: { id: data.id, deleted: true },
    meta: { api_version: "2024-01-01" },
  });
  expect((await call("DELETE", `/api/v1/webhooks/${data.id}`)).status).toBe(404);
  expect((await call("GET", `/api/v1/webhooks/${data.id}`)).status).toBe(404);
});

test("without filters the object is empty", async () => {
  const response = await as(api, await createTenant(api.db))("POST", "/api/v1/webhooks/subscribe", wanted);
  expect(await response.json()).toMatchObject({ data: { filters: {} } });
});

test.each([
  [{ target_url: "http://hooks.example.com/" }, "body/target_url must be an https URL"],
  [{ target_url: "hooks.example.com" }, "body/target_url must be an absolute URL"],
  [
    { target_url: "https://user:pw@hooks.example.com/" },
    "body/target_url must not contain a user name or password",
  ],
  [{ target_url: "https://hooks.example.com/#a" }, "body/target_url must not contain a fragment"],
  [
    { target_url: "https://10.0.0.1/" },
    "body/target_url must not point to a private, local or reserved address",
  ],
  [{ target_url: `https://hooks.example.com/${"x".repeat(2048)}` }, "body/target_url must have at most 2048"],
  [{ target_url: 7 }, "body/target_url must be a string"],
  [{ event_types: [] }, "body/event_types must have at least 1 item"],
  [{ event_types: "lead.created" }, "body/event_types must be an array"],
  [{ event_types: ["lead.created", "lead.created"] }, "body/event_types must not contain duplicates"],
  [{ event_types: ["lead.exploded"] }, "body/event_types/0 must be one of lead.created, lead.updated"],
  [{ filters: { colour: "blue" } }, "body/filters/colour is not a known field"],
  [{ filters: { chatbot_id: "bot_1" } }, "body/filters/chatbot_id must be a UUID"],
  [
    { filters: { chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001" } },
    "body/filters/chatbot_id must be the ID of a chatbot of the organization",
  ],
])("rejects %j with a description", async (change, message) => {
  const tenant = await createTenant(api.db);
  const response = await as(api, tenant)("POST", "/api/v1/webhooks/subscribe", { ...wanted, ...change });
  expect(response.status).toBe(400);
  const body = (await response.json()) as Schemas["ApiError"];
  expect(body.error).toBe("invalid_request");
  expect(body.error_description).toContain(message);
  const { organizationId } = tenant;
  expect(await api.db.subscription.count({ where: { organizationId } })).toBe(0);
});

test("another organization's chatbot cannot be a filter", async () => {
  const other = await createTenant(api.db);
  const response = await as(api, await createTenant(api.db))("POST", "/api/v1/webhooks/subscribe", {
    ...wanted,
    filters: { chatbot_id: other.chatbotId },
  });
  expect(response.status).toBe(400);
});

test("enforces the limit for concurrent requests", async () => {
  const tenant = await createTenant(api.db);
  const tries = Array.from({ length: 12 }, () =>
    as(api, tenant)("POST", "/api/v1/webhooks/subscribe", wanted),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(5);
  expect(statuses.filter((status) => status === 400)).toHaveLength(7);
});

test("deletes a subscription with any number of deliveries immediately, and hides its log", async () => {
  const tenant = await createTenant(api.db);
  const call = as(api, tenant);
  const created = await call("POST", "/api/v1/webhooks/subscribe", wanted);
  const { data } = (await created.json()) as { data: { id: string } };
  const path = `/api/v1/webhooks/${data.id}`;
  await call("POST", "/api/v1/leads", { chatbot_id: tenant.chatbotId, contact: {} });
  await api.db.$executeRaw`
    INSERT INTO deliveries (organization_id, subscription_id, event_id)
    SELECT organization_id, subscription_id, event_id FROM deliveries, generate_series(2, 20000)
    WHERE subscription_id = ${data.id}::uuid`;
  const { id: deliveryId } = await api.db.delivery.findFirstOrThrow({ where: { subscriptionId: data.id } });
  // A lock on a delivery: the request may delete the subscription only, and leaves the deliveries to the worker's job.
  await api.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM deliveries WHERE id = ${deliveryId}::uuid FOR UPDATE`;
    expect((await call("DELETE", path)).status).toBe(200);
  });
  for (const gone of [path, `${path}/deliveries`, `${path}/deliveries/${deliveryId}`]) {
    expect((await call("GET", gone)).status).toBe(404);
  }
  expect(await api.db.subscriptionQueue.count({ where: { subscriptionId: data.id } })).toBe(0);
});
