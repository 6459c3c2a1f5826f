import type { Schemas } from "@parley/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
let talk: Schemas["Conversation"];
beforeEach(async () => {
  platform = await createPlatform(api);
  talk = (await platform.put("conversation", "talk", { chatbot_external_id: "bot" })).data;
  await platform.events();
});

type Sentiment = Schemas["Sentiment"] | null;
const write = (externalId: string, changes: Partial<Schemas["PlatformMessage"]> = {}) =>
  platform.put("message", externalId, {
    conversation_external_id: "talk",
    role: "visitor",
    text: "Hello",
    ...changes,
  });
const end = () => platform.put("conversation", "talk", { chatbot_external_id: "bot", status: "ended" });
const conversation = async () =>
  ((await platform.seen(`/api/v1/conversations/${talk.id}`)) as Schemas["Conversation"]).attributes;
/** Returns the sentiments of the sentiment events since the last call. */
const turns = async () =>
  (await platform.types()).flatMap((type) => /^conversation\.sentiment_(\w+)/.exec(type)?.[1] ?? []);

describe("a new message", () => {
  test("is added to its conversation in order, and integrations can read it", async () => {
    const asked = await write("1", { text: "Where is my invoice? 🧾" });
    const answered = await write("2", { role: "chatbot", text: "In your inbox." });
    expect([asked.result, answered.result]).toEqual(["created", "created"]);
    expect(asked.data.attributes).toMatchObject({
      conversation_id: talk.id,
      chatbot_id: talk.attributes.chatbot_id,
      role: "visitor",
      text: "Where is my invoice? 🧾",
      sentiment: null,
    });
    const list = await platform.seen(`/api/v1/conversations/${talk.id}/messages`);
    expect(list).toEqual([asked.data, answered.data]);
    expect(await conversation()).toMatchObject({
      message_count: 2,
      updated_at: answered.data.attributes.created_at,
    });
  });

  test.each([
    ["visitor", ["conversation.message_received"]],
    ["chatbot", []],
    ["agent", []],
  ] as const)("of the %s publishes %j", async (role, types) => {
    await write("1", { role });
    expect(await platform.types()).toEqual(types);
  });

  test("of the visitor is published with its text and chatbot", async () => {
    const { data } = await write("1", { text: "Zoë 🦊", sentiment: "neutral" });
    expect(await platform.events()).toMatchObject([
      { type: "conversation.message_received", chatbot_id: talk.attributes.chatbot_id, data },
    ]);
  });

  test("is unchanged and counted once if written again", async () => {
    const { data } = await write("1", { sentiment: "negative" });
    await platform.types();
    expect(await write("1", { sentiment: "negative" })).toEqual({ data, result: "unchanged" });
    expect(await write("1")).toEqual({ data, result: "unchanged" }); // A field that is left out keeps its value.
    expect(await platform.types()).toEqual([]);
    expect((await conversation()).message_count).toBe(1);
  });
});

describe("the conversation's sentiment", () => {
  test("is kept if a message is sent again without a sentiment during its analysis", async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = `message ${round}`;
      await write(id);
      await Promise.all([write(id, { sentiment: "negative" }), write(id)]);
      expect((await write(id)).data.attributes.sentiment).toBe("negative");
    }
    expect(await turns()).toEqual(["negative"]);
  });

  test.each<[written: Sentiment[], published: Sentiment[], sentiment: Sentiment]>([
    [["negative", "negative"], ["negative"], "negative"],
    [["positive", null, "positive"], ["positive"], "positive"],
    [["negative", "neutral", "negative"], ["negative", "negative"], "negative"],
    [["negative", "positive", "negative"], ["negative", "positive", "negative"], "negative"],
    [["neutral", null, "neutral"], [], "neutral"],
    [[null], [], null],
  ])("after %j publishes %j", async (written, published, sentiment) => {
    for (const [index, value] of written.entries()) await write(`${index}`, { sentiment: value });
    expect(await turns()).toEqual(published);
    expect((await conversation()).sentiment).toBe(sentiment);
  });

  test("is published with the conversation", async () => {
    const { data } = await write("1", { sentiment: "negative" });
    const [, turned, ...others] = await platform.events();
    expect(others).toEqual([]);
    expect(turned).toMatchObject({
      type: "conversation.sentiment_negative",
      chatbot_id: talk.attributes.chatbot_id,
      data: {
        id: talk.id,
        attributes: { sentiment: "negative", message_count: 1, updated_at: data.attributes.created_at },
      },
    });
  });

  test.each(["chatbot", "agent"] as const)(
    "ignores the %s's sentiment, given immediately or later",
    async (role) => {
      await write("1", { role, sentiment: "negative" });
      await write("2", { role });
      await write("2", { role, sentiment: "negative" });
      expect(await platform.types()).toEqual([]);
      expect((await conversation()).sentiment).toBeNull();
    },
  );

  test("can be given later, once", async () => {
    const said = await write("1");
    await platform.types();
    const { data, result } = await write("1", { sentiment: "negative" });
    expect(result).toBe("updated");
    expect(data.attributes).toEqual({ ...said.data.attributes, sentiment: "negative" });
    const after = await conversation();
    expect(after).toMatchObject({ sentiment: "negative", message_count: 1 });
    expect(after.updated_at > said.data.attributes.created_at).toBe(true);
    expect(await platform.types()).toEqual(["conversation.sentiment_negative"]);
    expect(await write("1", { sentiment: "negative" })).toEqual({ data, result: "unchanged" });
    expect(await platform.types()).toEqual([]);
  });

  test("is that of the latest message with a sentiment: setting the sentiment of an older message later does not change it", async () => {
    await write("1");
    await write("2", { sentiment: "positive" });
    await write("3");
    const before = await conversation();
    await platform.types();
    expect((await write("1", { sentiment: "negative" })).result).toBe("updated");
    const after = await conversation();
    // Polling clients must see that a message of the conversation changed.
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(after).toEqual({ ...before, updated_at: after.updated_at });
    expect(await platform.types()).toEqual([]);
    await write("3", { sentiment: "negative" });
    expect(await turns()).toEqual(["negative"]);
  });

  test("is the previous one after the sentiment of a message is removed", async () => {
    await write("1", { sentiment: "negative" });
    await write("2", { sentiment: "neutral" });
    await platform.types();
    await write("2", { sentiment: null });
    expect((await conversation()).sentiment).toBe("negative");
    expect(await turns()).toEqual(["negative"]);
    await write("1", { sentiment: null });
    expect((await conversation()).sentiment).toBeNull();
    expect(await turns()).toEqual([]);
  });
});

describe("after the end", () => {
  test("a new message is rejected", async () => {
    await end();
    await platform.types();
    const message = { conversation_external_id: "talk", role: "visitor", text: "Hello?" };
    expect(await platform.refusal("message", "late", message)).toContain(
      "conversation has ended. Start a new conversation.",
    );
    expect(await platform.types()).toEqual([]);
    expect((await conversation()).message_count).toBe(0);
  });

  test("an existing message can be written again with a sentiment", async () => {
    const { data } = await write("1");
    await end();
    await platform.types();
    expect(await write("1")).toEqual({ data, result: "unchanged" });
    expect((await write("1", { sentiment: "negative" })).result).toBe("updated");
    expect(await turns()).toEqual(["negative"]);
    expect(await conversation()).toMatchObject({ status: "ended", sentiment: "negative" });
  });
});

test.each([
  [{ text: "Something else" }, "body/text cannot be changed. Send the stored value, or leave the field out."],
  [{ role: "agent" }, "body/role cannot be changed. Send the stored value, or leave the field out."],
  [
    { conversation_external_id: "chat" },
    "body/conversation_external_id cannot be changed. Send the stored value, or leave the field out.",
  ],
])("rejects the change %j", async (change, message) => {
  const { data } = await write("1");
  await platform.types();
  const body = { ...samples.message, conversation_external_id: "talk", sentiment: "negative", ...change };
  expect(await platform.refusal("message", "1", body)).toBe(message);
  expect(await platform.seen(`/api/v1/conversations/${talk.id}/messages`)).toEqual([data]);
  expect(await platform.types()).toEqual([]);
});

test.each([
  [{ conversation_external_id: "none" }, "body/conversation_external_id must be the external_id of a conv"],
  [{ role: "ghost" }, "body/role must be one of visitor, chatbot, agent"],
  [{ text: "" }, "body/text must not be empty"],
  [{ text: "x".repeat(20_001) }, "body/text must have at most 20000 characters"],
  [{ sentiment: "angry" }, "body/sentiment must be one of positive, neutral, negative"],
])("rejects %j with a description", async (change, message) => {
  expect(await platform.refusal("message", "1", { ...samples.message, ...change })).toContain(message);
  expect(await platform.types()).toEqual([]);
});
