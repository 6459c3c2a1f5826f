import type { Schemas } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, type Platform } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

const write = (changes: Partial<Schemas["PlatformChatbot"]> = {}) =>
  platform.put("chatbot", "helper", { name: "Helper", model: "parley-small", ...changes });

test("creates a chatbot with defaults that integrations can read", async () => {
  const { data, result } = await write();
  expect(result).toBe("created");
  expect(data).toMatchObject({ label: "Helper", value: data.id });
  expect(data.attributes).toMatchObject({
    name: "Helper",
    description: "",
    model: "parley-small",
    status: "active",
    updated_at: data.attributes.created_at,
  });
  expect(await platform.seen(`/api/v1/chatbots/${data.id}`)).toEqual(data);
  expect(await platform.types()).toEqual([]);
});

const statuses = ["active", "inactive", "training"] as const;
const moves = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));

test.each(moves.filter(({ from, to }) => from !== to))(
  "changes the status from $from to $to",
  async ({ from, to }) => {
    const before = await write({ status: from });
    const { data, result } = await write({ status: to });
    expect(result).toBe("updated");
    expect(data.id).toBe(before.data.id);
    expect(data.attributes).toMatchObject({ status: to, created_at: before.data.attributes.created_at });
    expect(data.attributes.updated_at > before.data.attributes.updated_at).toBe(true);
    expect(await platform.seen(`/api/v1/chatbots/${data.id}`)).toEqual(data);
    expect(await platform.types()).toEqual([]);
  },
);

test.each(statuses)("writing %s again changes nothing, including updated_at", async (status) => {
  const { data } = await write({ status, description: "Helps.", qualification_threshold: 50 });
  const same = { status, description: "Helps.", qualification_threshold: 50 };
  expect(await write(same)).toEqual({ data, result: "unchanged" });
  expect(await platform.seen(`/api/v1/chatbots/${data.id}`)).toEqual(data);
});

test("keeps omitted fields", async () => {
  await write({ description: "Helps.", status: "training", qualification_threshold: 20 });
  const { data, result } = await write({ name: "Helper II", model: "parley-large" });
  expect(result).toBe("updated");
  expect(data.attributes).toMatchObject({
    name: "Helper II",
    model: "parley-large",
    description: "Helps.",
    status: "training",
  });
  const lead = await platform.put("lead", "ada", { chatbot_external_id: "helper", score: 20 });
  expect(lead.data.attributes.status).toBe("qualified");
});

test.each([
  [{ name: null }, "body/name must be a string"],
  [{ name: "" }, "body/name must not be empty"],
  [{ name: "x".repeat(201) }, "body/name must have at most 200 characters"],
  [{ model: undefined }, "body/model is required"],
  [{ status: "paused" }, "body/status must be one of active, inactive, training"],
  [{ qualification_threshold: 101 }, "body/qualification_threshold must be an integer from 0 to 100"],
  [{ qualification_threshold: 1.5 }, "body/qualification_threshold must be an integer from 0 to 100"],
  [{ external_id: "helper" }, "body/external_id is not a known field"],
])("rejects %j with a description", async (change, message) => {
  const body = { name: "Helper", model: "parley-small", ...change };
  expect(await platform.refusal("chatbot", "helper", body)).toBe(message);
  expect(await platform.count("chatbot")).toBe(1);
});
