import { eventTypes } from "@parley/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { as, startApi, type TestApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform, sampleItem, samples } from "../../src/testing/platform.ts";

// Whom an event of the door goes to; packages/webhooks tests how it gets there.

let api: TestApi;
let platform: Platform;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  platform = await createPlatform(api);
});

/** Subscribes to every type unless told otherwise; the name shows in what is due. */
async function subscribe(name: string, body: object = {}, subscriber = platform): Promise<string> {
  const target_url = `https://hooks.example.com/${name}`;
  const wanted = { target_url, event_types: eventTypes, ...body };
  const response = await as(api, subscriber.tenant)("POST", "/api/v1/webhooks/subscribe", wanted);
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

/** The rows in `deliveries` since the last call, a line for each: who gets it, and what. */
async function due(): Promise<string[]> {
  const rows = await api.db.$queryRaw<{ line: string }[]>`
    SELECT coalesce(split_part(target_url, '/', 4), 'nobody') || ': ' || type AS line
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

test("each event is due once for each subscription that lists it and whose filter lets it through", async () => {
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
  expect(await due()).toEqual(expected);
  await platform.batch(items); // All of it is unchanged.
  expect(await due()).toEqual([]);
  await stranger.batch([sampleItem("lead", "cleo")]);
  expect(await due()).toEqual(["stranger: lead.created"]);
});

test("an event of ten that write the same at once is due once", async () => {
  await subscribe("all");
  await Promise.all(Array.from({ length: 10 }, () => write("help")));
  expect(await due()).toEqual(["all: ticket.created"]);
});

test("what happened before a subscription was created is not due for it", async () => {
  await write("before");
  await subscribe("late");
  expect(await due()).toEqual([]);
  await write("before"); // Unchanged.
  await write("after");
  expect(await due()).toEqual(["late: ticket.created"]);
});

test("what happens while a subscription is failed is not due for it, also afterwards", async () => {
  const id = await subscribe("wavering");
  await setStatus(id, "failed");
  await write("meanwhile");
  expect(await due()).toEqual([]);
  await setStatus(id, "active");
  await write("afterwards");
  expect(await due()).toEqual(["wavering: ticket.created"]);
});

test("what happens after a subscription was deleted is due for nobody", async () => {
  const id = await subscribe("gone");
  await write("before");
  expect(await due()).toEqual(["gone: ticket.created"]);
  expect((await as(api, platform.tenant)("DELETE", `/api/v1/webhooks/${id}`)).status).toBe(200);
  await write("after");
  expect(await due()).toEqual([]);
  expect(await platform.types()).toEqual(["ticket.created", "ticket.created"]);
});

test("what is refused is due for nobody", async () => {
  await subscribe("all");
  await platform.refusal("ticket", "help", { ...samples.ticket, lead_external_id: "nobody" });
  await platform.batch([sampleItem("ticket", "help", { status: "lost" }), sampleItem("meeting", "demo")]);
  expect(await due()).toEqual(["all: meeting.scheduled"]);
});
