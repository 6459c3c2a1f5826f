import { expect, test } from "vitest";
import type { Parley } from "../src/index.ts";
import { rawClient } from "../src/index.ts";
import { startTestClient } from "./support/client.ts";
import { dataResponse, leadFixture } from "./support/responses.ts";

const id = "01928c60-11f2-7b8e-a3c4-5d6e7f809102";
const chatbot_id = "01928c5e-7a10-7c44-8d21-0b6de2f0a001";
const subscription = { target_url: "https://example.com/hook", event_types: ["lead.created" as const] };

const message = { role: "visitor" as const, text: "Where is my invoice?" };

// Each call with the request that it sends.
const calls: [request: string, call: (parley: Parley) => PromiseLike<unknown>, body?: unknown][] = [
  ["GET /api/v1/chatbots", (parley) => parley.chatbots.list()],
  ["GET /api/v1/chatbots?status=active", (parley) => parley.chatbots.list({ status: "active" })],
  [`GET /api/v1/chatbots/${id}`, (parley) => parley.chatbots.get(id)],
  [
    `GET /api/v1/conversations?chatbot_id=${chatbot_id}&status=open`,
    (parley) => parley.conversations.list({ chatbot_id, status: "open" }),
  ],
  [`GET /api/v1/conversations/${id}`, (parley) => parley.conversations.get(id)],
  ["POST /api/v1/conversations", (parley) => parley.conversations.start({ chatbot_id }), { chatbot_id }],
  [`POST /api/v1/conversations/${id}/end`, (parley) => parley.conversations.end(id)],
  [`GET /api/v1/conversations/${id}/messages`, (parley) => parley.conversations.messages(id)],
  [
    `GET /api/v1/conversations/${id}/messages?limit=5&offset=10`,
    (parley) => parley.conversations.messages(id, { limit: 5, offset: 10 }),
  ],
  [
    `POST /api/v1/conversations/${id}/messages`,
    (parley) => parley.conversations.addMessage(id, message),
    message,
  ],
  ["GET /api/v1/leads", (parley) => parley.leads.list()],
  [
    "GET /api/v1/leads?limit=5&offset=10&since=2026-03-01T00%3A00%3A00%2B01%3A00",
    (parley) => parley.leads.list({ limit: 5, offset: 10, since: "2026-03-01T00:00:00+01:00" }),
  ],
  [`GET /api/v1/leads/${id}`, (parley) => parley.leads.get(id)],
  [
    "POST /api/v1/leads",
    (parley) => parley.leads.create({ chatbot_id, contact: {} }),
    { chatbot_id, contact: {} },
  ],
  [`PATCH /api/v1/leads/${id}`, (parley) => parley.leads.update(id, { score: 80 }), { score: 80 }],
  [`DELETE /api/v1/leads/${id}`, (parley) => parley.leads.delete(id)],
  [`DELETE /api/v1/tickets/${id}`, (parley) => parley.tickets.delete(id)],
  [`DELETE /api/v1/conversations/${id}`, (parley) => parley.conversations.delete(id)],
  ["GET /api/v1/tickets?status=open", (parley) => parley.tickets.list({ status: "open" })],
  [`GET /api/v1/tickets/${id}`, (parley) => parley.tickets.get(id)],
  ["POST /api/v1/tickets", (parley) => parley.tickets.create({ subject: "Help" }), { subject: "Help" }],
  [
    `PATCH /api/v1/tickets/${id}`,
    (parley) => parley.tickets.update(id, { status: "resolved" }),
    { status: "resolved" },
  ],
  [`GET /api/v1/meetings?chatbot_id=${chatbot_id}`, (parley) => parley.meetings.list({ chatbot_id })],
  [`GET /api/v1/meetings/${id}`, (parley) => parley.meetings.get(id)],
  ["POST /api/v1/webhooks/subscribe", (parley) => parley.webhooks.subscribe(subscription), subscription],
  ["GET /api/v1/webhooks", (parley) => parley.webhooks.list()],
  [`GET /api/v1/webhooks/${id}`, (parley) => parley.webhooks.get(id)],
  [`DELETE /api/v1/webhooks/${id}`, (parley) => parley.webhooks.delete(id)],
  [
    "GET /api/v1/webhooks?target_url=https%3A%2F%2Fexample.com%2Fhook",
    (parley) => parley.webhooks.list({ target_url: subscription.target_url }),
  ],
  [
    `PATCH /api/v1/webhooks/${id}`,
    (parley) => parley.webhooks.update(id, { filters: { chatbot_id } }),
    { filters: { chatbot_id } },
  ],
  [`POST /api/v1/webhooks/${id}/resume`, (parley) => parley.webhooks.resume(id)],
  [
    `POST /api/v1/webhooks/${id}/resume`,
    (parley) => parley.webhooks.resume(id, { fill_gap: true }),
    { fill_gap: true },
  ],
  [
    `POST /api/v1/webhooks/${id}/test`,
    (parley) => parley.webhooks.test(id, { event_type: "lead.created" }),
    { event_type: "lead.created" },
  ],
  [
    `POST /api/v1/webhooks/${id}/rotate-secret`,
    (parley) => parley.webhooks.rotateSecret(id, { immediately: true }),
    { immediately: true },
  ],
  [
    "POST /api/v1/webhooks/signing-keys/rotate",
    (parley) => parley.webhooks.rotateSigningKey({ immediately: true }),
    { immediately: true },
  ],
  ["GET /api/v1/webhooks/source-addresses", (parley) => parley.webhooks.sourceAddresses()],
  [
    `GET /api/v1/webhooks/${id}/deliveries?status=exhausted&limit=5`,
    (parley) => parley.webhooks.deliveries(id, { status: "exhausted", limit: 5 }),
  ],
  [`GET /api/v1/webhooks/${id}/deliveries/d`, (parley) => parley.webhooks.delivery(id, "d")],
  [`POST /api/v1/webhooks/${id}/deliveries/d/redeliver`, (parley) => parley.webhooks.redeliver(id, "d")],
  [`GET /api/v1/webhooks/${id}/redeliveries/r`, (parley) => parley.webhooks.redelivery(id, "r")],
  [
    `POST /api/v1/webhooks/${id}/redeliver`,
    (parley) => parley.webhooks.redeliverRange(id, { since: "2026-03-01T09:00:00Z" }),
    { since: "2026-03-01T09:00:00Z" },
  ],
  ["GET /api/v1/events/samples?type=lead.created", (parley) => parley.webhooks.samples("lead.created")],
  [
    "GET /api/v1/events?cursor=abc&event_types=lead.created&event_types=lead.updated&wait=25",
    (parley) =>
      parley.events.list({ cursor: "abc", event_types: ["lead.created", "lead.updated"], wait: 25 }),
  ],
  [`GET /api/v1/events/${id}`, (parley) => parley.events.get(id)],
  ["GET /api/v1/me", (parley) => parley.me()],
];

test.each(calls)("sends %s", async (request, call, body) => {
  const response = dataResponse([{ id }]);
  const { parley, received } = await startTestClient(() => response);
  expect(await call(parley)).toEqual(response.body);
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([request]);
  expect(received[0]?.body).toEqual(body);
  expect(received[0]?.headers).toMatchObject({
    authorization: "Bearer parley_at_0",
    accept: "application/json",
  });
  expect(received[0]?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
});

test("percent-encodes IDs, and rejects an ID that changes the path", async () => {
  const { parley, received } = await startTestClient(() => dataResponse(leadFixture("a")));
  await parley.leads.get("../webhooks?x=1");
  expect(received[0]?.url).toBe("/api/v1/leads/..%2Fwebhooks%3Fx%3D1");
  for (const bad of ["", ".", "..", undefined as never, null as never]) {
    expect(() => parley.webhooks.delete(bad)).toThrow(TypeError);
    expect(() => parley.conversations.messages(bad)).toThrow(TypeError);
  }
  expect(received).toHaveLength(1);
});

test("the raw client sends the token and returns errors as values", async () => {
  const { parley, received } = await startTestClient(({ url }) =>
    url.endsWith("/a")
      ? dataResponse(leadFixture("a"))
      : { status: 404, body: { error: "not_found", error_description: "No." } },
  );
  const found = await rawClient(parley).GET("/api/v1/leads/{id}", { params: { path: { id: "a" } } });
  expect(found.data?.data.attributes.score).toBe(40);
  const missing = await rawClient(parley).GET("/api/v1/leads/{id}", { params: { path: { id: "b" } } });
  expect(missing.error).toEqual({ error: "not_found", error_description: "No." });
  expect(received[0]?.headers.authorization).toBe("Bearer parley_at_0");
});

test("sends the token only to the API", async () => {
  const other = await startTestClient(() => ({ body: {} }));
  const { parley, received, baseUrl } = await startTestClient(() => ({ body: {} }));
  await rawClient(parley).GET("/.well-known/oauth-authorization-server");
  await rawClient(parley).POST("/api/oauth/token", { body: { grant_type: "refresh_token" } });
  await rawClient(parley).GET("/api/v1/me", { baseUrl: other.baseUrl });
  await rawClient(parley).GET("/api/v1/me", { baseUrl, headers: { authorization: "Bearer of the caller" } });
  const sent = [...received, ...other.received].map(({ headers }) => headers.authorization);
  expect(sent).toEqual([undefined, undefined, "Bearer of the caller", undefined]);
});
