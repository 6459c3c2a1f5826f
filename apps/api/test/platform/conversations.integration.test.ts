import type { Schemas } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

const write = (changes: Partial<Schemas["PlatformConversation"]> = {}) =>
  platform.put("conversation", "talk", { chatbot_external_id: "bot", ...changes });

test("starts a conversation with defaults and publishes it", async () => {
  const { data, result } = await write({ visitor: { name: "Ben" } });
  expect(result).toBe("created");
  expect(data.attributes).toMatchObject({
    lead_id: null,
    status: "open",
    channel: "web",
    visitor: { name: "Ben", email: null },
    sentiment: null,
    message_count: 0,
    ended_at: null,
  });
  expect(await platform.seen(`/api/v1/conversations/${data.id}`)).toEqual(data);
  const { chatbot_id } = data.attributes;
  expect(await platform.events()).toMatchObject([{ type: "conversation.started", chatbot_id, data }]);
});

test("updates lead, channel and visitor without an event; null clears a field", async () => {
  const lead = await platform.put("lead", "ada", samples.lead);
  const before = await write({ visitor: { name: "Ben", email: "ben@example.com" } });
  await platform.types();
  const later = { lead_external_id: "ada", channel: "whatsapp", visitor: { email: null } };
  const { data, result } = await write(later);
  expect(result).toBe("updated");
  expect(data.attributes).toEqual({
    ...before.data.attributes,
    lead_id: lead.data.id,
    channel: "whatsapp",
    visitor: { name: "Ben", email: null },
    updated_at: data.attributes.updated_at,
  });
  expect(data.attributes.updated_at > before.data.attributes.updated_at).toBe(true);
  expect(await write(later)).toEqual({ data, result: "unchanged" });
  expect((await write({ lead_external_id: null })).data.attributes.lead_id).toBeNull();
  expect(await platform.types()).toEqual([]);
});

test("ending sets the time and publishes one event", async () => {
  await write();
  await platform.types();
  const { data, result } = await write({ status: "ended" });
  expect(result).toBe("updated");
  expect(data.attributes).toMatchObject({ status: "ended", ended_at: data.attributes.updated_at });
  expect(await platform.events()).toMatchObject([{ type: "conversation.ended", data }]);
  expect(await write({ status: "ended" })).toEqual({ data, result: "unchanged" });
  expect(await write()).toEqual({ data, result: "unchanged" });
  expect(await platform.types()).toEqual([]);
});

test("publishes both events for a conversation that is created as ended", async () => {
  const { data } = await write({ status: "ended" });
  expect(data.attributes.updated_at > data.attributes.started_at).toBe(true);
  const [started, ended, ...others] = await platform.events();
  expect(others).toEqual([]);
  expect(started).toMatchObject({
    type: "conversation.started",
    data: { attributes: { status: "open", ended_at: null } },
  });
  expect(ended).toMatchObject({ type: "conversation.ended", data });
});

test("rejects reopening an ended conversation", async () => {
  const { data } = await write({ status: "ended" });
  await platform.types();
  const reopened = { ...samples.conversation, status: "open", channel: "whatsapp" };
  const message = await platform.refusal("conversation", "talk", reopened);
  expect(message).toContain("conversation has ended. Start a new conversation.");
  expect(await platform.seen(`/api/v1/conversations/${data.id}`)).toEqual(data);
  expect(await platform.types()).toEqual([]);
});

test("rejects another chatbot", async () => {
  await write();
  await platform.put("chatbot", "other", samples.chatbot);
  expect(await platform.refusal("conversation", "talk", { chatbot_external_id: "other" })).toBe(
    "body/chatbot_external_id cannot be changed. Send the stored value, or leave the field out.",
  );
});

test.each([
  [{ chatbot_external_id: "nobody" }, "body/chatbot_external_id must be the external_id of a chatbot"],
  [{ lead_external_id: "nobody" }, "body/lead_external_id must be the external_id of a lead"],
  [{ status: "paused" }, "body/status must be one of open, ended"],
  [{ channel: "" }, "body/channel must not be empty"],
  [{ visitor: { email: "ben" } }, "body/visitor/email must be an email address"],
  [{ visitor: { phone: "1" } }, "body/visitor/phone is not a known field"],
])("rejects %j with a description", async (change, message) => {
  const body = { chatbot_external_id: "bot", ...change };
  expect(await platform.refusal("conversation", "talk", body)).toContain(message);
  expect([await platform.count("conversation"), await platform.types()]).toEqual([1, []]);
});
