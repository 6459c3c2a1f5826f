import { describe, expect, test } from "vitest";
import {
  InvalidRequestError,
  Parley,
  type PostOptions,
  rawClient,
  ServerError,
  TimeoutError,
} from "../src/index.ts";
import { inSequence, startTestClient } from "./support/client.ts";
import { dataResponse, errorResponse, leadFixture, tokenResponse } from "./support/responses.ts";
import { type ReceivedRequest, startTestServer, type TestResponse } from "./support/server.ts";

const chatbot_id = "01928c5e-7a10-7c44-8d21-0b6de2f0a001";
const create = { chatbot_id, contact: {} };
const ok = dataResponse(leadFixture("a"));
const unavailable = errorResponse(503, "server_error");
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const posts: [name: string, post: (parley: Parley, options?: PostOptions) => Promise<unknown>][] = [
  ["leads.create", (parley, options) => parley.leads.create(create, options)],
  ["tickets.create", (parley, options) => parley.tickets.create({ subject: "Help" }, options)],
  ["conversations.start", (parley, options) => parley.conversations.start({ chatbot_id }, options)],
  [
    "conversations.addMessage",
    (parley, options) => parley.conversations.addMessage("a", { role: "visitor", text: "Hello" }, options),
  ],
  ["conversations.end", (parley, options) => parley.conversations.end("a", options)],
  [
    "webhooks.subscribe",
    (parley, options) =>
      parley.webhooks.subscribe(
        { target_url: "https://example.com/hook", event_types: ["lead.created"] },
        options,
      ),
  ],
];

function keysOf(received: readonly ReceivedRequest[]): unknown[] {
  return received.map(({ headers }) => headers["idempotency-key"]);
}

describe.each(posts)("%s", (_, post) => {
  test("sends a different UUID for each call", async () => {
    const { parley, received } = await startTestClient(() => ok);
    await post(parley);
    await post(parley);
    const [first, second] = keysOf(received);
    expect(first).toMatch(uuid);
    expect(second).toMatch(uuid);
    expect(second).not.toBe(first);
  });

  test("is retried with the same key and body", async () => {
    const { parley, received } = await startTestClient(inSequence({ fault: "disconnect" }, unavailable, ok));
    await post(parley);
    expect(received).toHaveLength(3);
    expect(new Set(keysOf(received)).size).toBe(1);
    expect(new Set(received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test("sends the key of the caller in each attempt", async () => {
    const { parley, received } = await startTestClient(inSequence(unavailable, ok));
    await post(parley, { idempotencyKey: "order-4711", maxRetries: 1 });
    expect(keysOf(received)).toEqual(["order-4711", "order-4711"]);
  });
});

describe("a POST with a key", () => {
  test.each<[string, TestResponse]>([
    ["429", errorResponse(429, "rate_limit_exceeded", { "retry-after": "0" })],
    ["502 from a proxy", { status: 502, body: "<html>" }],
    ["503", unavailable],
    ["504 from a proxy", { status: 504, body: "<html>" }],
    ["a broken connection", { fault: "disconnect" }],
    ["a timeout in the response body", { fault: "incomplete body" }],
    ["a timeout", { fault: "no response" }],
  ])("is retried after %s", async (_, failure) => {
    const { parley, received, clock } = await startTestClient(inSequence(failure, failure, ok), {
      timeoutMs: 200,
    });
    expect((await parley.leads.create(create)).data.id).toBe("a");
    expect(new Set(keysOf(received)).size).toBe(1);
    expect(clock.sleeps).toEqual([250, 500]);
  });

  test.each([400, 401, 403, 404, 409, 500])("is not retried after %i", async (status) => {
    const { parley, received } = await startTestClient(() => errorResponse(status, "server_error"));
    await expect(parley.leads.create(create)).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });

  test("throws the last error after two retries", async () => {
    const { parley, received } = await startTestClient(inSequence(unavailable));
    await expect(parley.leads.create(create)).rejects.toBeInstanceOf(ServerError);
    expect(received).toHaveLength(3);
    const silent = await startTestClient(() => ({ fault: "no response" }), { timeoutMs: 500, maxRetries: 0 });
    await expect(silent.parley.leads.create(create)).rejects.toBeInstanceOf(TimeoutError);
    expect(silent.received).toHaveLength(1);
  });
});

test("sends the same key after a token refresh", async () => {
  const { baseUrl, received } = await startTestServer(({ url, headers }) => {
    if (url === "/api/oauth/token") return tokenResponse(1);
    return headers.authorization === "Bearer parley_at_1" ? ok : errorResponse(401, "invalid_token");
  });
  const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
  const parley = new Parley({ baseUrl, tokens, clientId: "client", clientSecret: "secret" });
  await parley.leads.create(create);
  const sent = received.filter(({ url }) => url === "/api/v1/leads");
  expect(sent.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer parley_at_0",
    "Bearer parley_at_1",
  ]);
  expect(new Set(keysOf(sent)).size).toBe(1);
  // The token endpoint has no idempotency keys.
  expect(keysOf(received.filter(({ url }) => url === "/api/oauth/token"))).toEqual([undefined]);
});

test("sends an empty key of the caller unchanged", async () => {
  const { parley, received } = await startTestClient(() => errorResponse(400, "invalid_request"));
  await expect(parley.leads.create(create, { idempotencyKey: "" })).rejects.toBeInstanceOf(
    InvalidRequestError,
  );
  expect(keysOf(received)).toEqual([""]);
});

test("sends no key with other methods", async () => {
  const { parley, received } = await startTestClient(() => ok);
  await parley.leads.get("a");
  await parley.leads.update("a", { score: 1 });
  await parley.webhooks.delete("a");
  expect(keysOf(received)).toEqual([undefined, undefined, undefined]);
});

describe("the raw client", () => {
  test("sends a key with a POST, by default a random one", async () => {
    const { parley, received } = await startTestClient(inSequence(unavailable, ok));
    await rawClient(parley).POST("/api/v1/leads", { body: create });
    const params = { header: { "Idempotency-Key": "order-4711" } };
    await rawClient(parley).POST("/api/v1/leads", { body: create, params });
    const [first, second, third] = keysOf(received);
    expect(first).toMatch(uuid);
    expect([second, third]).toEqual([first, "order-4711"]);
  });

  test("sends no key to another server, and does not retry the POST", async () => {
    const { baseUrl, received } = await startTestServer(() => unavailable);
    const { parley } = await startTestClient(() => ok);
    await rawClient(parley).POST("/api/v1/leads", { body: create, baseUrl });
    expect(keysOf(received)).toEqual([undefined]);
  });
});
