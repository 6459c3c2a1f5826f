import type { Schemas } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

const failure = {
  chatbot_external_id: "bot",
  conversation_external_id: "chat",
  tool: "look_up_invoice",
  status: "failed",
  error: "The billing service did not response.",
  duration_ms: 412,
} as const;
const write = (run: Schemas["PlatformToolRun"] = failure) => platform.put("tool_run", "run-1", run);

test("publishes a failed run with its error, chatbot and conversation", async () => {
  const { data, result } = await write();
  expect(result).toBe("created");
  const talk = await platform.put("conversation", "chat", samples.conversation);
  const { chatbot_id } = talk.data.attributes;
  expect(data.attributes).toMatchObject({
    chatbot_id,
    conversation_id: talk.data.id,
    tool: "look_up_invoice",
    status: "failed",
    error: "The billing service did not response.",
    duration_ms: 412,
  });
  expect(await platform.events()).toMatchObject([{ type: "agent.tool_failed", chatbot_id, data }]);
});

test("accepts a successful run without error and conversation", async () => {
  const { data } = await write(samples.tool_run);
  expect(data.attributes).toMatchObject({ status: "executed", error: null, conversation_id: null });
  expect(await platform.events()).toMatchObject([{ type: "agent.tool_executed", data }]);
});

test("is unchanged and not published if written again", async () => {
  const { data } = await write();
  await platform.types();
  expect(await write()).toEqual({ data, result: "unchanged" });
  const { conversation_external_id: _, error: __, ...short } = failure;
  expect(await write(short)).toEqual({ data, result: "unchanged" });
  expect(await platform.types()).toEqual([]);
});

test.each([
  ["chatbot_external_id", "other"],
  ["conversation_external_id", null],
  ["tool", "send_invoice"],
  ["status", "executed"],
  ["error", null],
  ["duration_ms", 413],
])("rejects changing %s to %j", async (field, value) => {
  await platform.put("chatbot", "other", samples.chatbot);
  const { data } = await write();
  await platform.types();
  expect(await platform.refusal("tool_run", "run-1", { ...failure, [field]: value })).toBe(
    `body/${field} cannot be changed. Send the stored value, or leave the field out.`,
  );
  expect(await write()).toEqual({ data, result: "unchanged" });
  expect(await platform.types()).toEqual([]);
});

test.each([
  [{ chatbot_external_id: "x" }, "body/chatbot_external_id must be the external_id of a chatbot"],
  [{ conversation_external_id: "x" }, "body/conversation_external_id must be the external_id of a conver"],
  [{ status: "running" }, "body/status must be one of executed, failed"],
  [{ duration_ms: -1 }, "body/duration_ms must be an integer from 0 to 2147483647"],
  [{ duration_ms: 2_147_483_648 }, "body/duration_ms must be an integer from 0 to 2147483647"],
  [{ tool: "" }, "body/tool must not be empty"],
])("rejects %j with a description", async (change, message) => {
  expect(await platform.refusal("tool_run", "run-1", { ...failure, ...change })).toContain(message);
  expect([await platform.count("tool_run"), await platform.types()]).toEqual([0, []]);
});

test("accepts the maximum duration", async () => {
  const { data } = await write({ ...failure, duration_ms: 2_147_483_647 });
  expect(data.attributes.duration_ms).toBe(2_147_483_647);
});
