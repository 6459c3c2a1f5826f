import type { Schemas } from "@parley/contract";
import {
  holding,
  respondingWith,
  soon,
  subscriptionBecomes,
  watchNotifications,
} from "@parley/webhooks/testing";
import { describe, expect, test, vi } from "vitest";
import { createClient, useWebhookApi } from "../../src/testing/webhook-api.ts";

const { api, client } = useWebhookApi();

const somewhere = "https://hooks.example.com/parley";

async function update(id: string, body: object): Promise<Schemas["Subscription"]> {
  return (await client.take<{ data: Schemas["Subscription"] }>("PATCH", `/api/v1/webhooks/${id}`, body)).data;
}

/** Returns the types of the events with pending deliveries of a subscription, in order. */
async function dueTypes(subscriptionId: string): Promise<string[]> {
  const pending = await api.db.delivery.findMany({ where: { subscriptionId }, orderBy: { id: "asc" } });
  const events = await api.db.event.findMany({
    where: { id: { in: pending.map(({ eventId }) => eventId) } },
  });
  const types = new Map(events.map(({ id, type }) => [id, type]));
  return pending.map(({ eventId }) => types.get(eventId) ?? "");
}

describe("PATCH", () => {
  test("changes only the given fields", async () => {
    const { chatbotId } = client.tenant;
    const { id } = await client.subscribe(somewhere, { filters: { chatbot_id: chatbotId } });
    const before = await client.subscription(id);
    const moved = await update(id, { target_url: "https://other.example.com/" });
    expect(moved).toEqual({
      ...before,
      target_url: "https://other.example.com/",
      updated_at: moved.updated_at,
    });
    expect(moved.updated_at > before.updated_at).toBe(true);
    const retyped = await update(id, { event_types: ["ticket.created", "lead.updated"], filters: {} });
    expect(retyped).toMatchObject({
      target_url: "https://other.example.com/",
      event_types: ["ticket.created", "lead.updated"],
      filters: {},
    });
    expect(await client.subscription(id)).toEqual(retyped);
  });

  test("with the same values changes nothing", async () => {
    const { id } = await client.subscribe(somewhere);
    const before = await client.subscription(id);
    expect(await update(id, { target_url: somewhere, event_types: ["lead.created"], filters: {} })).toEqual(
      before,
    );
  });

  test.each([
    [{}, "body must"],
    [{ target_url: "http://hooks.example.com/" }, "body/target_url must be an https URL"],
    [
      { target_url: "https://10.0.0.1/" },
      "body/target_url must not point to a private, local or reserved address",
    ],
    [{ target_url: null }, "body/target_url must be a string"],
    [{ event_types: [] }, "body/event_types must have at least 1 item"],
    [{ event_types: ["lead.exploded"] }, "body/event_types/0 must be one of"],
    [{ event_types: ["lead.created", "lead.created"] }, "body/event_types must not contain duplicates"],
    [{ status: "active" }, "body/status is not a known field"],
    [{ secret: "mine" }, "body/secret is not a known field"],
    [{ filters: { chatbot_id: null } }, "body/filters/chatbot_id must be"],
    [{ filters: { chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001" } }, "of a chatbot of the organization"],
  ])("to %j is rejected and changes nothing", async (change, message) => {
    const { id } = await client.subscribe(somewhere);
    const before = await client.subscription(id);
    const response = await client.call("PATCH", `/api/v1/webhooks/${id}`, change);
    expect(response.status).toBe(400);
    expect(((await response.json()) as Schemas["ApiError"]).error_description).toContain(message);
    expect(await client.subscription(id)).toEqual(before);
  });

  test("to another organization's chatbot is rejected", async () => {
    const { id } = await client.subscribe(somewhere);
    const { chatbotId } = (await createClient(api)).tenant;
    const response = await client.call("PATCH", `/api/v1/webhooks/${id}`, {
      filters: { chatbot_id: chatbotId },
    });
    expect(response.status).toBe(400);
  });

  test("keeps a failed subscription failed", async () => {
    const { id } = await client.subscribe(somewhere);
    const wrong = {
      status: "failed",
      failedAt: new Date(),
      failureCount: 5,
      failureReason: "the receiver responded with 500",
    };
    await api.db.subscription.update({ where: { id }, data: wrong });
    expect(await update(id, { target_url: "https://other.example.com/" })).toMatchObject({
      status: "failed",
      failure_count: 5,
      failure_reason: "the receiver responded with 500",
    });
  });
});

describe("later events are delivered", () => {
  test("by the new types", async () => {
    const { id } = await client.subscribe(somewhere);
    await client.createLeads(1);
    await update(id, { event_types: ["ticket.created"] });
    await client.createLeads(1);
    await client.take("POST", "/api/v1/tickets", { subject: "Cannot sign in" });
    expect(await dueTypes(id)).toEqual(["lead.created", "ticket.created"]); // Pending deliveries stay.
  });

  test("by the new filter, and without one for all chatbots again", async () => {
    const { chatbotId, organizationId } = client.tenant;
    const other = await api.db.chatbot.create({ data: { organizationId, name: "Other", model: "m" } });
    const createLead = (id: string) => client.take("POST", "/api/v1/leads", { chatbot_id: id, contact: {} });
    const { id } = await client.subscribe(somewhere);
    await update(id, { filters: { chatbot_id: other.id } });
    await createLead(chatbotId);
    expect(await dueTypes(id)).toHaveLength(0);
    await createLead(other.id);
    expect(await dueTypes(id)).toHaveLength(1);
    await update(id, { filters: {} });
    await createLead(chatbotId);
    expect(await dueTypes(id)).toHaveLength(2);
  });

  test("by exactly one of two concurrent changes", async () => {
    const { id } = await client.subscribe(somewhere);
    const types = ["lead.updated", "ticket.created", "meeting.scheduled", "lead.created"] as const;
    await Promise.all(types.map((type) => update(id, { event_types: [type] })));
    const { event_types } = await client.subscription(id);
    const routes = await api.db.subscriptionRoute.findMany({ where: { subscriptionId: id } });
    expect(routes.map(({ eventType }) => eventType)).toEqual(event_types);
  });

  test("by a route with the time since which the type is subscribed", async () => {
    const { id } = await client.subscribe(somewhere);
    const routes = async () =>
      api.db.subscriptionRoute.findMany({ where: { subscriptionId: id }, orderBy: { since: "asc" } });
    const [first] = await routes();
    await update(id, { event_types: ["ticket.created", "lead.created"] });
    const [same, added] = await routes();
    expect(same).toEqual(first);
    expect(added?.eventType).toBe("ticket.created");
    expect(Number(added?.since)).toBeGreaterThan(Number(first?.since));
    await update(id, { filters: { chatbot_id: client.tenant.chatbotId } });
    for (const { since } of await routes()) expect(Number(since)).toBeGreaterThan(Number(added?.since));
  });

  test("to no deleted subscription", async () => {
    const { id } = await client.subscribe(somewhere);
    await client.take("DELETE", `/api/v1/webhooks/${id}`);
    expect(await api.db.subscriptionRoute.count({ where: { subscriptionId: id } })).toBe(0);
  });
});

test("sends pending deliveries to the new URL", async () => {
  const [old, other] = [await api.startReceiver(), await api.startReceiver(respondingWith(200))];
  const slow = holding();
  old.respond = slow.respond;
  const { id } = await client.subscribe(old.url);
  await client.createLeads(12);
  // The worker is notified of the change a moment after the response. Until then, it sends to the old URL.
  const { connect, received } = watchNotifications(api.databaseUrl, "changed");
  await api.startWorker({ connect });
  await vi.waitFor(() => expect(old.received).toHaveLength(8), soon);
  await update(id, { target_url: other.url });
  await received();
  slow.release(respondingWith(200));
  await vi.waitFor(() => expect(other.received).toHaveLength(4), soon);
  expect(old.received).toHaveLength(8);
});

test("a new URL resets the failures of the old one, and delivery resumes immediately", async () => {
  const [old, other] = [
    await api.startReceiver(respondingWith(503)),
    await api.startReceiver(respondingWith(200)),
  ];
  const { id } = await client.subscribe(old.url);
  await client.createLeads(3);
  await api.startWorker({ maxInFlightPerSubscription: 1 });
  await subscriptionBecomes(api, id, { failureCount: 1 });
  expect(await update(id, { event_types: ["lead.created", "lead.updated"] })).toMatchObject({
    failure_count: 1,
  });
  const moved = await update(id, { target_url: other.url });
  expect(moved).toMatchObject({
    status: "active",
    target_url: other.url,
    failure_count: 0,
    failure_reason: "the receiver responded with 503",
  });
  await vi.waitFor(() => expect(other.received).toHaveLength(3), soon);
  await subscriptionBecomes(api, id, { failureReason: null });
});

test("of concurrent deletions, one succeeds and the others get 404", async () => {
  const { id } = await client.subscribe(somewhere);
  const responses = await Promise.all([1, 2, 3].map(() => client.call("DELETE", `/api/v1/webhooks/${id}`)));
  expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 404, 404,
  ]);
});

test("the list can be filtered by the exact target URL", async () => {
  const url = "https://hooks.example.com/parley?key=a%20b&x=1";
  const [one, two] = [
    await client.subscribe(url),
    await client.subscribe(url, { event_types: ["lead.updated"] }),
  ];
  await client.subscribe("https://hooks.example.com/parley");
  await (await createClient(api)).subscribe(url);
  const find = async (target: string) => {
    const path = `/api/v1/webhooks?${new URLSearchParams({ target_url: target })}`;
    return client.take<{ data: { id: string }[]; meta: object }>("GET", path);
  };
  const found = await find(url);
  expect(found.data.map(({ id }) => id)).toEqual([two.id, one.id]);
  expect(found.meta).toEqual({ api_version: "2024-01-01", total: 2, count: 2 });
  expect((await find("https://hooks.example.com/parley?key=a b&x=1")).data).toEqual([]);
  expect((await find("")).data).toEqual([]);
});
