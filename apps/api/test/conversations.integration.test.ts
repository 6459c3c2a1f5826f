import type { Schemas } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { takeEvents } from "../src/testing/events.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const api = useApi();
let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant(api.db);
});

async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await as(api, tenant)(method, path, body);
  expect(response.status).toBeLessThan(300);
  return ((await response.json()) as { data: Data }).data;
}
const start = () =>
  call<Schemas["Conversation"]>("POST", "/api/v1/conversations", {
    chatbot_id: tenant.chatbotId,
    visitor: { name: "Ben" },
  });
const say = (conversation: { id: string }, body: object) =>
  call<Schemas["Message"]>("POST", `/api/v1/conversations/${conversation.id}/messages`, {
    role: "visitor",
    text: "Hello",
    ...body,
  });
const read = ({ id }: { id: string }) => call<Schemas["Conversation"]>("GET", `/api/v1/conversations/${id}`);
const types = async () => (await takeEvents(api, tenant)).map(({ type }) => type);

test("starts a conversation, adds messages and ends it", async () => {
  const conversation = await start();
  expect(conversation.attributes).toMatchObject({
    chatbot_id: tenant.chatbotId,
    status: "open",
    channel: "web",
    visitor: { name: "Ben", email: null },
    sentiment: null,
    message_count: 0,
    ended_at: null,
  });
  const asked = await say(conversation, { text: "Where is my invoice? 🧾" });
  await say(conversation, { role: "chatbot", text: "In your inbox." });
  await say(conversation, { role: "agent", text: "I sent it again." });
  const ended = await call<Schemas["Conversation"]>("POST", `/api/v1/conversations/${conversation.id}/end`);
  expect(ended.attributes).toMatchObject({ status: "ended", message_count: 3 });
  expect(ended.attributes.ended_at).toBe(ended.attributes.updated_at);

  const messages = await call<Schemas["Message"][]>(
    "GET",
    `/api/v1/conversations/${conversation.id}/messages`,
  );
  expect(messages.map(({ attributes }) => attributes.role)).toEqual(["visitor", "chatbot", "agent"]);
  expect(messages[0]).toEqual(asked);
  const second = `/api/v1/conversations/${conversation.id}/messages?limit=1&offset=1`;
  expect(await call<Schemas["Message"][]>("GET", second)).toEqual([messages[1]]);

  const [started, received, over, ...others] = await takeEvents(api, tenant);
  expect(others).toEqual([]);
  expect(started).toMatchObject({ type: "conversation.started", data: conversation });
  expect(received).toMatchObject({ type: "conversation.message_received", data: asked });
  expect(over).toMatchObject({ type: "conversation.ended", data: ended });
});

test("rejects messages to an ended conversation; ending it again changes nothing", async () => {
  const conversation = await start();
  const path = `/api/v1/conversations/${conversation.id}`;
  const ended = await call("POST", `${path}/end`);
  expect(await call("POST", `${path}/end`)).toEqual(ended);
  const refused = await as(api, tenant)("POST", `${path}/messages`, { role: "visitor", text: "Hello?" });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    error_description: "The conversation has ended. Start a new conversation.",
  });
  expect(await types()).toEqual(["conversation.started", "conversation.ended"]);
});

test("publishes a sentiment event when the sentiment changes, not for each message", async () => {
  const conversation = await start();
  await types();
  const sentiments = ["neutral", "negative", "negative", null, "positive", "positive", "neutral", "negative"];
  for (const sentiment of sentiments) await say(conversation, { sentiment });
  await say(conversation, { role: "chatbot", sentiment: "positive" }); // The sentiment of chatbot messages is ignored.
  expect((await types()).filter((type) => type !== "conversation.message_received")).toEqual([
    "conversation.sentiment_negative",
    "conversation.sentiment_positive",
    "conversation.sentiment_negative",
  ]);
  expect((await read(conversation)).attributes).toMatchObject({ sentiment: "negative", message_count: 9 });
});

test("counts concurrent messages, each with a different time", async () => {
  const conversation = await start();
  const messages = await Promise.all(
    Array.from({ length: 20 }, (_, i) => say(conversation, { text: `${i}` })),
  );
  expect(new Set(messages.map(({ attributes }) => attributes.created_at)).size).toBe(20);
  expect((await read(conversation)).attributes.message_count).toBe(20);
});
