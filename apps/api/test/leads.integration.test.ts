import type { Schemas } from "@parley/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { type AnyEvent, takeEvents } from "../src/testing/events.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const api = useApi();
let tenant: Tenant;

type LeadEvent = Extract<AnyEvent, { data: { type: "lead" } }>;

beforeEach(async () => {
  tenant = await createTenant(api.db, { threshold: 70 });
});

async function send(method: string, path: string, body: object): Promise<Schemas["Lead"]> {
  const response = await as(api, tenant)(method, path, body);
  expect(response.status).toBe(method === "POST" ? 201 : 200);
  return ((await response.json()) as { data: Schemas["Lead"] }).data;
}

const create = (body: object = {}) =>
  send("POST", "/api/v1/leads", { chatbot_id: tenant.chatbotId, contact: { name: "Ada" }, ...body });
const update = (lead: { id: string }, body: object) => send("PATCH", `/api/v1/leads/${lead.id}`, body);

const newEvents = async () => (await takeEvents(api, tenant)) as LeadEvent[];
const types = async () => (await newEvents()).map(({ type }) => type);

describe("creating a lead", () => {
  test("returns the complete lead, also at Location", async () => {
    const response = await as(api, tenant)("POST", "/api/v1/leads", {
      chatbot_id: tenant.chatbotId,
      contact: { name: "Ada Novak", email: "ada@example.com", company: null },
      qualification: { budget: "10-20k", team: { size: 4 } },
      source: "https://example.com/pricing",
    });
    const { data } = (await response.json()) as { data: Schemas["Lead"] };
    expect(data.attributes).toMatchObject({
      contact: { name: "Ada Novak", email: "ada@example.com", phone: null, company: null },
      chatbot_id: tenant.chatbotId,
      status: "new",
      score: 0,
      qualification: { budget: "10-20k", team: { size: 4 } },
      source: "https://example.com/pricing",
      qualified_at: null,
      converted_at: null,
    });
    const read = await as(api, tenant)("GET", response.headers.get("location") ?? "");
    expect(((await read.json()) as { data: unknown }).data).toEqual(data);
    const [event, ...others] = await newEvents();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: "lead.created", chatbot_id: tenant.chatbotId });
    expect(event?.data).toEqual(data);
  });

  test("accepts answers of 16 KiB, as JSON in UTF-8", async () => {
    const answers = (bytes: number) => ({ text: "é".repeat((bytes - 11) / 2) }); // {"text":""} has 11 bytes.
    await create({ qualification: answers(16_383) });
    const { chatbotId: chatbot_id } = tenant;
    const large = { chatbot_id, contact: {}, qualification: answers(16_385) };
    const response = await as(api, tenant)("POST", "/api/v1/leads", large);
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: "invalid_request",
        error_description: "body/qualification must be at most 16,384 bytes as JSON; it is 16,385 bytes",
      },
    ]);
    expect(await types()).toEqual(["lead.created"]);
  });

  test("at or above the chatbot's threshold qualifies it", async () => {
    expect((await create({ score: 69 })).attributes).toMatchObject({ status: "new", qualified_at: null });
    expect(await types()).toEqual(["lead.created"]);
    const { attributes } = await create({ score: 70 });
    expect(attributes.status).toBe("qualified");
    expect(attributes.qualified_at).toBe(attributes.created_at);
    expect(await types()).toEqual(["lead.created", "lead.qualified"]);
  });
});

describe("updating a lead", () => {
  test("changes the given fields and publishes the old values", async () => {
    const lead = await create({ contact: { name: "Ada", phone: "1" }, score: 5 });
    await newEvents();
    const after = await update(lead, { contact: { phone: "2", email: "ada@example.com" }, score: 6 });
    expect(after.attributes.contact).toEqual({
      name: "Ada",
      phone: "2",
      email: "ada@example.com",
      company: null,
    });
    expect(after.attributes.updated_at > lead.attributes.updated_at).toBe(true);
    const [updated, changed, ...others] = await newEvents();
    expect(others).toEqual([]);
    expect(updated).toMatchObject({ type: "lead.updated" });
    expect(updated?.previous_attributes).toEqual({ contact: lead.attributes.contact, score: 5 });
    expect(changed).toMatchObject({ type: "lead.score_changed", previous_attributes: { score: 5 } });
    expect(changed?.data).toEqual(after);
  });

  test("that changes nothing publishes nothing", async () => {
    const lead = await create({ score: 5, qualification: { a: 1 } });
    await newEvents();
    const after = await update(lead, {
      score: 5,
      qualification: { a: 1 },
      contact: { name: "Ada" },
      source: null,
    });
    expect(after).toEqual(lead);
    expect(await newEvents()).toEqual([]);
  });

  test("qualifies a new lead once when its score reaches the threshold", async () => {
    const lead = await create({ score: 10 });
    await newEvents();
    expect((await update(lead, { score: 71 })).attributes.status).toBe("qualified");
    expect(await types()).toEqual(["lead.updated", "lead.score_changed", "lead.qualified"]);
    await update(lead, { score: 20 });
    await update(lead, { score: 90 });
    await update(lead, { status: "new" });
    await update(lead, { score: 30 });
    expect((await update(lead, { score: 80 })).attributes.status).toBe("qualified");
    expect(await types()).not.toContain("lead.qualified");
  });

  test("to qualified or converted sets the time; a disqualified lead stays disqualified", async () => {
    const lead = await create({ score: 10 });
    await newEvents();
    const qualified = await update(lead, { status: "qualified" });
    expect(qualified.attributes.qualified_at).toBe(qualified.attributes.updated_at);
    expect(await types()).toEqual(["lead.updated", "lead.qualified"]);
    const converted = await update(lead, { status: "converted" });
    expect(converted.attributes.converted_at).toBe(converted.attributes.updated_at);
    expect(await types()).toEqual(["lead.updated", "lead.converted"]);
    await update(lead, { status: "disqualified" });
    expect((await update(lead, { score: 99 })).attributes.status).toBe("disqualified");
    expect(await types()).toEqual(["lead.updated", "lead.updated", "lead.score_changed"]);
  });

  test("does not lose one of twenty concurrent changes, and increases updated_at each time", async () => {
    const lead = await create();
    await newEvents();
    const scores = Array.from({ length: 20 }, (_, i) => i + 1);
    const updated = await Promise.all(scores.map((score) => update(lead, { score })));
    expect(new Set(updated.map(({ attributes }) => attributes.updated_at)).size).toBe(20);
    const changes = (await newEvents()).filter(({ type }) => type === "lead.score_changed");
    expect(changes.map(({ data }) => data.attributes.score).sort((a, b) => a - b)).toEqual(scores);
    // Each change starts from the one before it.
    const previous = changes.map(({ previous_attributes }) => previous_attributes);
    expect(previous.slice(1)).toEqual(
      changes.slice(0, -1).map(({ data }) => ({ score: data.attributes.score })),
    );
  });

  test("with an empty body is rejected", async () => {
    const lead = await create();
    const response = await as(api, tenant)("PATCH", `/api/v1/leads/${lead.id}`, {});
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "invalid_request" });
  });
});
