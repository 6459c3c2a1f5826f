import type { Schemas } from "@parley/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import type { AnyEvent } from "../../src/testing/events.ts";
import { createPlatform, type Platform, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

type LeadEvent = Extract<AnyEvent, { data: { type: "lead" } }>;
const newEvents = async () => (await platform.events()) as LeadEvent[];

const write = (changes: Partial<Schemas["PlatformLead"]> = {}, externalId = "ada") =>
  platform.put("lead", externalId, { chatbot_external_id: "bot", ...changes });
const setThreshold = (qualification_threshold: number) =>
  platform.put("chatbot", "bot", { ...samples.chatbot, qualification_threshold });

describe("a new lead", () => {
  test("has defaults, is published, and integrations can read it", async () => {
    const contact = { name: "Ada Novak", email: "ada@example.com" };
    const { data, result } = await write({ contact, qualification: { budget: "10k" }, source: "pricing" });
    expect(result).toBe("created");
    expect(data.attributes).toMatchObject({
      contact: { ...contact, phone: null, company: null },
      status: "new",
      score: 0,
      qualification: { budget: "10k" },
      source: "pricing",
      qualified_at: null,
      converted_at: null,
    });
    expect(await platform.seen(`/api/v1/leads/${data.id}`)).toEqual(data);
    const [event, ...others] = await newEvents();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: "lead.created", chatbot_id: data.attributes.chatbot_id });
    expect(event?.data).toEqual(data);
  });

  test("with a score at or above the chatbot's threshold is qualified", async () => {
    expect((await write({ score: 69 }, "below")).data.attributes.status).toBe("new");
    expect(await platform.types()).toEqual(["lead.created"]);
    const { attributes } = (await write({ score: 70 }, "at")).data;
    expect(attributes).toMatchObject({ status: "qualified", qualified_at: attributes.created_at });
    expect(await platform.types()).toEqual(["lead.created", "lead.qualified"]);
  });

  test("qualified by its score stays qualified if the same item with status new is written again", async () => {
    const item = { status: "new", score: 70 } as const;
    expect((await write(item)).data.attributes.status).toBe("qualified");
    const { data, result } = await write(item);
    expect([result, data.attributes.status]).toEqual(["unchanged", "qualified"]);
    expect(await platform.types()).toEqual(["lead.created", "lead.qualified"]);
  });

  test("qualified by one of two concurrent writes of the same item stays qualified", async () => {
    for (let i = 0; i < 10; i += 1) {
      await write({ status: "new", score: 10 }, `lead ${i}`);
      const item = { status: "new", score: 90 } as const;
      await Promise.all([write(item, `lead ${i}`), write(item, `lead ${i}`)]);
      expect((await write({}, `lead ${i}`)).data.attributes.status).toBe("qualified");
    }
    const qualified = (await platform.types()).filter((type) => type === "lead.qualified");
    expect(qualified).toHaveLength(10);
  });

  test("created as converted publishes both events", async () => {
    const { attributes } = (await write({ status: "converted", score: 90 })).data;
    expect(attributes).toMatchObject({ status: "converted", converted_at: attributes.created_at });
    expect(await platform.types()).toEqual(["lead.created", "lead.converted"]);
  });
});

describe("an existing lead", () => {
  test("updates the given fields and publishes the old values; null clears a field", async () => {
    const { data: before } = await write({ contact: { name: "Ada", phone: "1" }, source: "pricing" });
    await newEvents();
    const { data, result } = await write({ contact: { phone: null, company: "Acme" }, source: null });
    expect(result).toBe("updated");
    expect(data.attributes).toMatchObject({
      contact: { name: "Ada", phone: null, email: null, company: "Acme" },
      source: null,
    });
    expect(data.attributes.updated_at > before.attributes.updated_at).toBe(true);
    const [event, ...others] = await newEvents();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: "lead.updated", data });
    expect(event?.previous_attributes).toEqual({ contact: before.attributes.contact, source: "pricing" });
  });

  test("is unchanged and not published if the state is the same", async () => {
    const state = { contact: { name: "Ada" }, score: 75, qualification: { a: [1, { b: 2 }] }, source: "x" };
    const { data } = await write(state);
    await newEvents();
    expect(await write(state)).toEqual({ data, result: "unchanged" });
    expect(await write()).toEqual({ data, result: "unchanged" });
    expect(await newEvents()).toEqual([]);
  });

  test("replaces all responses", async () => {
    await write({ qualification: { budget: "10k", team: 4 } });
    expect((await write({ qualification: { team: 5 } })).data.attributes.qualification).toEqual({ team: 5 });
    expect((await write({ qualification: {} })).data.attributes.qualification).toEqual({});
  });

  test("publishes the previous score with a new one", async () => {
    await write({ score: 5 });
    await newEvents();
    const { data } = await write({ score: 6 });
    expect(await newEvents()).toMatchObject([
      { type: "lead.updated", previous_attributes: { score: 5 }, data },
      { type: "lead.score_changed", previous_attributes: { score: 5 }, data },
    ]);
  });

  test("is converted once", async () => {
    await write();
    await newEvents();
    const { attributes } = (await write({ status: "converted" })).data;
    expect(attributes.converted_at).toBe(attributes.updated_at);
    expect(await platform.types()).toEqual(["lead.updated", "lead.converted"]);
    await write({ status: "qualified" });
    await newEvents();
    expect((await write({ status: "converted" })).data.attributes.converted_at).toBe(attributes.converted_at);
    expect(await platform.types()).toEqual(["lead.updated"]);
  });

  test("rejects another chatbot", async () => {
    const { data } = await write();
    await platform.put("chatbot", "other", samples.chatbot);
    expect(await platform.refusal("lead", "ada", { chatbot_external_id: "other", score: 9 })).toBe(
      "body/chatbot_external_id cannot be changed. Send the stored value, or leave the field out.",
    );
    expect(await platform.seen(`/api/v1/leads/${data.id}`)).toEqual(data);
  });
});

describe("the chatbot's threshold", () => {
  test("also works for a platform that always sends the full state", async () => {
    await write({ status: "new", score: 10 });
    await newEvents();
    expect((await write({ status: "new", score: 90 })).data.attributes.status).toBe("qualified");
    expect(await platform.types()).toEqual(["lead.updated", "lead.score_changed", "lead.qualified"]);
    expect((await write({ status: "new", score: 90 }, "at once")).data.attributes.status).toBe("qualified");
  });

  test("qualifies a lead once when its score reaches it", async () => {
    await write({ score: 69 });
    await newEvents();
    const { attributes } = (await write({ score: 71 })).data;
    expect(attributes).toMatchObject({ status: "qualified", qualified_at: attributes.updated_at });
    const [updated, , qualified] = await newEvents();
    expect(updated?.previous_attributes).toEqual({ status: "new", score: 69, qualified_at: null });
    expect(qualified).toMatchObject({ type: "lead.qualified", data: { attributes } });

    await write({ score: 20 });
    await write({ score: 90 });
    expect(await platform.types()).toEqual(Array(2).fill(["lead.updated", "lead.score_changed"]).flat());
    await write({ score: 20, status: "new" });
    const again = (await write({ score: 90 })).data.attributes;
    expect(again).toMatchObject({ status: "qualified", qualified_at: attributes.qualified_at });
    expect(await platform.types()).not.toContain("lead.qualified");
  });

  test("when lowered, keeps existing leads and applies to new scores", async () => {
    const there = (await write({ score: 50 }, "there")).data;
    await write({ score: 30 }, "rising");
    await newEvents();
    await setThreshold(40);
    expect(await newEvents()).toEqual([]);
    expect(await platform.seen(`/api/v1/leads/${there.id}`)).toEqual(there);
    expect((await write({ score: 45 }, "rising")).data.attributes.status).toBe("qualified");
    expect((await write({ score: 51 }, "there")).data.attributes.status).toBe("qualified");
    expect((await write({ score: 40 }, "new")).data.attributes.status).toBe("qualified");
  });

  test("when raised, keeps qualified leads and applies to new scores", async () => {
    await write({ score: 80 }, "there");
    await write({ score: 30 }, "rising");
    await setThreshold(90);
    expect((await write({ score: 85 }, "there")).data.attributes.status).toBe("qualified");
    expect((await write({ score: 89 }, "rising")).data.attributes.status).toBe("new");
    expect((await write({ score: 90 }, "rising")).data.attributes.status).toBe("qualified");
  });
});

test.each([
  [{ chatbot_external_id: "nobody" }, "body/chatbot_external_id must be the external_id of a chatbot"],
  [{ chatbot_external_id: null }, "body/chatbot_external_id must be a string"],
  [{ chatbot_external_id: undefined }, "body/chatbot_external_id is required"],
  [{ score: 101 }, "body/score must be an integer from 0 to 100"],
  [{ score: "5" }, "body/score must be an integer from 0 to 100"],
  [{ status: "lost" }, "body/status must be one of new, qualified, converted, disqualified"],
  [{ contact: { email: "ada" } }, "body/contact/email must be an email address"],
  [{ contact: { fax: "1" } }, "body/contact/fax is not a known field"],
  [{ qualification: [] }, "body/qualification must be an object"],
])("rejects %j with a description", async (change, message) => {
  const body = { chatbot_external_id: "bot", ...change };
  expect(await platform.refusal("lead", "ada", body)).toContain(message);
  expect([await platform.count("lead"), await platform.types()]).toEqual([0, []]);
});
