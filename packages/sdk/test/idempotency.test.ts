import { describe, expect, test } from "vitest";
import {
  InvalidRequestError,
  Parley,
  type PostOptions,
  rawClient,
  ServerError,
  TimeoutError,
} from "../src/index.ts";
import { inTurn, startClient } from "./support/client.ts";
import { lead, one, refusal, tokenAnswer } from "./support/replies.ts";
import { type Received, type Reply, startServer } from "./support/server.ts";

const chatbot_id = "01928c5e-7a10-7c44-8d21-0b6de2f0a001";
const create = { chatbot_id, contact: {} };
const fine = one(lead("a"));
const unavailable = refusal(503, "server_error");
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

function keysOf(received: readonly Received[]): unknown[] {
  return received.map(({ headers }) => headers["idempotency-key"]);
}

describe.each(posts)("%s", (_, post) => {
  test("sends a UUID, another one for each call", async () => {
    const { parley, received } = await startClient(() => fine);
    await post(parley);
    await post(parley);
    const [first, second] = keysOf(received);
    expect(first).toMatch(uuid);
    expect(second).toMatch(uuid);
    expect(second).not.toBe(first);
  });

  test("is tried again with the same key and the same body", async () => {
    const { parley, received } = await startClient(inTurn({ fault: "cut" }, unavailable, fine));
    await post(parley);
    expect(received).toHaveLength(3);
    expect(new Set(keysOf(received)).size).toBe(1);
    expect(new Set(received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test("sends the caller's key, at every attempt", async () => {
    const { parley, received } = await startClient(inTurn(unavailable, fine));
    await post(parley, { idempotencyKey: "order-4711", maxRetries: 1 });
    expect(keysOf(received)).toEqual(["order-4711", "order-4711"]);
  });
});

describe("a POST with a key is tried again like a GET", () => {
  test.each<[string, Reply]>([
    ["429", refusal(429, "rate_limit_exceeded", { "retry-after": "0" })],
    ["502 of a proxy", { status: 502, body: "<html>" }],
    ["503", unavailable],
    ["504 of a proxy", { status: 504, body: "<html>" }],
    ["a broken connection", { fault: "cut" }],
    ["an answer that stops half-way", { fault: "hang in body" }],
    ["no answer", { fault: "hang" }],
  ])("after %s", async (_, failure) => {
    const { parley, received, clock } = await startClient(inTurn(failure, failure, fine), { timeoutMs: 200 });
    expect((await parley.leads.create(create)).data.id).toBe("a");
    expect(new Set(keysOf(received)).size).toBe(1);
    expect(clock.slept).toEqual([250, 500]);
  });

  test.each([400, 401, 403, 404, 409, 500])("not after %i", async (status) => {
    const { parley, received } = await startClient(() => refusal(status, "server_error"));
    await expect(parley.leads.create(create)).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });

  test("the last failure is thrown, after two retries", async () => {
    const { parley, received } = await startClient(inTurn(unavailable));
    await expect(parley.leads.create(create)).rejects.toBeInstanceOf(ServerError);
    expect(received).toHaveLength(3);
    const silent = await startClient(() => ({ fault: "hang" }), { timeoutMs: 500, maxRetries: 0 });
    await expect(silent.parley.leads.create(create)).rejects.toBeInstanceOf(TimeoutError);
    expect(silent.received).toHaveLength(1);
  });
});

test("a token that was renewed in between does not change the key", async () => {
  const { baseUrl, received } = await startServer(({ url, headers }) => {
    if (url === "/api/oauth/token") return tokenAnswer(1);
    return headers.authorization === "Bearer parley_at_1" ? fine : refusal(401, "invalid_token");
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
  // The token endpoint knows no keys.
  expect(keysOf(received.filter(({ url }) => url === "/api/oauth/token"))).toEqual([undefined]);
});

test("an empty key is the caller's mistake, not a reason to make one", async () => {
  const { parley, received } = await startClient(() => refusal(400, "invalid_request"));
  await expect(parley.leads.create(create, { idempotencyKey: "" })).rejects.toBeInstanceOf(
    InvalidRequestError,
  );
  expect(keysOf(received)).toEqual([""]);
});

test("other methods have none", async () => {
  const { parley, received } = await startClient(() => fine);
  await parley.leads.get("a");
  await parley.leads.update("a", { score: 1 });
  await parley.webhooks.delete("a");
  expect(keysOf(received)).toEqual([undefined, undefined, undefined]);
});

describe("the raw client", () => {
  test("has a key for a POST, too, and keeps the caller's", async () => {
    const { parley, received } = await startClient(inTurn(unavailable, fine));
    await rawClient(parley).POST("/api/v1/leads", { body: create });
    const params = { header: { "Idempotency-Key": "order-4711" } };
    await rawClient(parley).POST("/api/v1/leads", { body: create, params });
    const [first, second, third] = keysOf(received);
    expect(first).toMatch(uuid);
    expect([second, third]).toEqual([first, "order-4711"]);
  });

  test("has none beyond the API, where a POST is not tried again", async () => {
    const { baseUrl, received } = await startServer(() => unavailable);
    const { parley } = await startClient(() => fine);
    await rawClient(parley).POST("/api/v1/leads", { body: create, baseUrl });
    expect(keysOf(received)).toEqual([undefined]);
  });
});
