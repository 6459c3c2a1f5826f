import type { ResponseOf } from "@parley/contract";
import { beforeAll, describe, expect, test } from "vitest";
import type { ItemType } from "../../src/modules/platform/items.ts";
import { asPlatform, useApi } from "../../src/testing/api-server.ts";
import { createPlatform, itemTypes, type Platform, sampleItem, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
let other: Platform;
beforeAll(async () => {
  platform = await createPlatform(api);
  other = await createPlatform(api);
  // Records of every type that only the other organization has, and `both`, which both have.
  for (const type of itemTypes) await other.put(type, "theirs", samples[type]);
  for (const owner of [platform, other]) await owner.put("lead", "both", samples.lead);
  await platform.events();
  await other.events();
});

const references: [type: ItemType, field: string, kind: string][] = [
  ["lead", "chatbot_external_id", "chatbot"],
  ["conversation", "chatbot_external_id", "chatbot"],
  ["conversation", "lead_external_id", "lead"],
  ["message", "conversation_external_id", "conversation"],
  ["ticket", "chatbot_external_id", "chatbot"],
  ["ticket", "lead_external_id", "lead"],
  ["ticket", "conversation_external_id", "conversation"],
  ["meeting", "chatbot_external_id", "chatbot"],
  ["meeting", "lead_external_id", "lead"],
  ["message_feedback", "message_external_id", "message"],
  ["tool_run", "chatbot_external_id", "chatbot"],
  ["tool_run", "conversation_external_id", "conversation"],
];

test("accepts the organization's ID in any case", async () => {
  const capitals = platform.tenant.organizationId.toUpperCase();
  const items = [sampleItem("lead", "written")];
  const write = async (id: string) => {
    const response = await asPlatform(api, id)("POST", "/batch", { items });
    return ((await response.json()) as ResponseOf<"writeBatch">).data;
  };
  const first = await write(capitals);
  const unchanged = first.map((line) => ({ ...line, result: "unchanged" }));
  expect(await write(platform.tenant.organizationId)).toEqual(unchanged);
  await platform.events();
});

describe.each(references)("%s: %s", (type, field, kind) => {
  test("rejects records of another organization, in new and existing records", async () => {
    const message = `${field} must be the external_id of a ${kind} of the organization`;
    const stolen = { ...samples[type], [field]: "theirs" };
    expect(await platform.refusal(type, "mine", stolen)).toBe(`body/${message}`);
    const { data } = await platform.batch([sampleItem(type, "mine", { [field]: "theirs" })]);
    expect(data).toMatchObject([{ result: "failed", error_description: `items/0/attributes/${message}` }]);

    const there = await platform.put(type, "there", samples[type]);
    await platform.events();
    expect(await platform.refusal(type, "there", stolen)).toBe(`body/${message}`);
    expect(await platform.put(type, "there", samples[type])).toEqual({
      data: there.data,
      result: "unchanged",
    });
    expect([await platform.events(), await other.events()]).toEqual([[], []]);
  });
});

test("an external ID that both have refers to the organization's own record", async () => {
  const mine = await platform.put("lead", "both", samples.lead);
  const { data } = await platform.put("ticket", "help", { subject: "Help", lead_external_id: "both" });
  expect(data.attributes.lead_id).toBe(mine.data.id);
});

test("integrations cannot read records of other organizations", async () => {
  const theirs = await other.put("lead", "theirs", samples.lead);
  const ids = ((await platform.seen("/api/v1/leads?limit=100")) as { id: string }[]).map(({ id }) => id);
  expect(ids).toContain((await platform.put("lead", "both", samples.lead)).data.id);
  expect(ids).not.toContain(theirs.data.id);
});
