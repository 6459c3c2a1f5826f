import { eventTypes } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { as, useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform, sampleItem, samples } from "../../src/testing/platform.ts";

// Which subscriptions receive events of the Platform API. packages/webhooks tests the delivery.

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

/** Subscribes, by default to every type. The name appears in the result of `pending`. */
async function subscribe(name: string, body: object = {}, subscriber = platform): Promise<string> {
  const target_url = `https://hooks.example.com/${name}`;
  const wanted = { target_url, event_types: eventTypes, ...body };
  const response = await as(api, subscriber.tenant)("POST", "/api/v1/webhooks/subscribe", wanted);
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

/** Returns the pending deliveries since the last call as `subscription: event type`. */
async function pending(): Promise<string[]> {
  const rows = await api.db.$queryRaw<{ line: string }[]>`
    SELECT coalesce(split_part(target_url, '/', 4), 'none') || ': ' || type AS line
    FROM deliveries
    LEFT JOIN events ON events.id = event_id
    LEFT JOIN subscriptions ON subscriptions.id = subscription_id
    ORDER BY split_part(target_url, '/', 4), event_id`;
  await api.db.delivery.deleteMany();
  return rows.map(({ line }) => line);
}

const setStatus = (id: string, status: string) =>
  api.db.subscription.update({ where: { id }, data: { status } });
const write = (externalId: string) => platform.put("ticket", externalId, samples.ticket);

test("creates one delivery for each subscription with the event type and a matching filter", async () => {
  const bot = (await platform.put("chatbot", "bot", samples.chatbot)).data.id;
  const second = (await platform.put("chatbot", "second", samples.chatbot)).data.id;
  const stranger = await createPlatform(api);
  await subscribe("all");
  await subscribe("all-again");
  await subscribe("bot", { filters: { chatbot_id: bot } });
  await subscribe("leads-of-second", {
    event_types: ["lead.created", "lead.qualified"],
    filters: { chatbot_id: second },
  });
  await subscribe("meetings", { event_types: ["meeting.scheduled", "meeting.cancelled"] });
  await subscribe("qualified", { event_types: ["lead.qualified"] });
  await subscribe("stranger", {}, stranger);

  const items = [
    sampleItem("lead", "ada", { score: 80 }),
    sampleItem("lead", "ben", { chatbot_external_id: "second" }),
    sampleItem("ticket", "help"), // It belongs to no chatbot, so no filter lets it through.
    sampleItem("ticket", "help-2", { chatbot_external_id: "bot" }),
    sampleItem("usage_record", "used", { quantity: 80_000 }),
  ];
  const everything = ["lead.created", "lead.qualified", "lead.created", "ticket.created", "ticket.created"];
  const expected = [
    ...[...everything, "usage.threshold_reached"].map((type) => `all: ${type}`),
    ...[...everything, "usage.threshold_reached"].map((type) => `all-again: ${type}`),
    "bot: lead.created",
    "bot: lead.qualified",
    "bot: ticket.created",
    "leads-of-second: lead.created",
    "qualified: lead.qualified",
  ];
  await platform.batch(items);
  expect(await pending()).toEqual(expected);
  await platform.batch(items); // All items are unchanged.
  expect(await pending()).toEqual([]);
  await stranger.batch([sampleItem("lead", "cleo")]);
  expect(await pending()).toEqual(["stranger: lead.created"]);
});

test("creates one delivery if ten concurrent requests write the same record", async () => {
  await subscribe("all");
  await Promise.all(Array.from({ length: 10 }, () => write("help")));
  expect(await pending()).toEqual(["all: ticket.created"]);
});

test("creates no delivery for events before the subscription was created", async () => {
  await write("before");
  await subscribe("late");
  expect(await pending()).toEqual([]);
  await write("before"); // Unchanged.
  await write("after");
  expect(await pending()).toEqual(["late: ticket.created"]);
});

test("creates no delivery for events while the subscription is failed", async () => {
  const id = await subscribe("wavering");
  await setStatus(id, "failed");
  await write("meanwhile");
  expect(await pending()).toEqual([]);
  await setStatus(id, "active");
  await write("afterwards");
  expect(await pending()).toEqual(["wavering: ticket.created"]);
});

test("creates no delivery for a deleted subscription", async () => {
  const id = await subscribe("gone");
  await write("before");
  expect(await pending()).toEqual(["gone: ticket.created"]);
  expect((await as(api, platform.tenant)("DELETE", `/api/v1/webhooks/${id}`)).status).toBe(200);
  await write("after");
  expect(await pending()).toEqual([]);
  expect(await platform.types()).toEqual(["ticket.created", "ticket.created"]);
});

test("creates no delivery for rejected writes", async () => {
  await subscribe("all");
  await platform.refusal("ticket", "help", { ...samples.ticket, lead_external_id: "nobody" });
  await platform.batch([sampleItem("ticket", "help", { status: "lost" }), sampleItem("meeting", "demo")]);
  expect(await pending()).toEqual(["all: meeting.scheduled"]);
});
