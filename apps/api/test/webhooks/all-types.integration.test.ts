/** Subscriptions to all event types. */
import type { Schemas } from "@parley/contract";
import { type Receiver, soon } from "@parley/webhooks/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  type Client,
  createClient,
  startWebhookApi,
  type WebhookApi,
} from "../../src/testing/webhook-api.ts";

let api: WebhookApi;
let client: Client;
let receiver: Receiver;
beforeAll(async () => {
  api = await startWebhookApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  client = await createClient(api);
  receiver = await api.startReceiver();
});
afterEach(() => api.stopWorkers());

const types = () => receiver.received.map(({ headers }) => headers["x-parley-event"]);

test("receive every type, each event once, with a chatbot filter too", async () => {
  const filters = { chatbot_id: client.tenant.chatbotId };
  const created = await client.subscribe(receiver.url, { event_types: ["*"], filters });
  expect((created as unknown as Schemas["CreatedSubscription"]).event_types).toEqual(["*"]);
  expect(await client.subscription(created.id)).toMatchObject({ event_types: ["*"] });
  await api.startWorker();
  await client.createLeads(1);
  await client.take("POST", "/api/v1/tickets", { subject: "Help", chatbot_id: client.tenant.chatbotId });
  await vi.waitFor(() => expect(new Set(types())).toEqual(new Set(["lead.created", "ticket.created"])), soon);
});

test("get a test event, and the events of a gap", async () => {
  const { id } = await client.subscribe(receiver.url, { event_types: ["*"] });
  const path = `/api/v1/webhooks/${id}`;
  const sent = await client.take<{ data: Schemas["Delivery"] }>("POST", `${path}/test`);
  expect(sent.data.attributes.event_type).toBe("lead.created");
  const failed = { status: "failed", failedAt: new Date(), gapFrom: new Date(), failureReason: "down" };
  await api.db.subscription.update({ where: { id }, data: failed });
  await client.createLeads(2);
  const resumed = await client.take<{ meta: object }>("POST", `${path}/resume`, { fill_gap: true });
  expect(resumed.meta).toMatchObject({ gap_deliveries: 2 });
});

test("can be changed to single types and back", async () => {
  const { id } = await client.subscribe(receiver.url, { event_types: ["*"] });
  await api.startWorker();
  const update = (event_types: string[]) => client.take("PATCH", `/api/v1/webhooks/${id}`, { event_types });
  await update(["ticket.created"]);
  await client.createLeads(1);
  await update(["*"]);
  await client.createLeads(1);
  await vi.waitFor(() => expect(types()).toEqual(["lead.created"]), soon);
});

test.each([
  [["*", "lead.created"], 'body/event_types must not contain other types next to "*"'],
  [["lead.*"], "body/event_types/0"],
])("reject %j", async (event_types, problem) => {
  const response = await client.call("POST", "/api/v1/webhooks/subscribe", {
    target_url: receiver.url,
    event_types,
  });
  expect(response.status).toBe(400);
  expect(((await response.json()) as Schemas["ApiError"]).error_description).toContain(problem);
});
