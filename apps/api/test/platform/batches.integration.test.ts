import type { Schemas } from "@parley/contract";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { asPlatform, useApi } from "../../src/testing/api-server.ts";
import {
  createPlatform,
  itemTypes,
  type Platform,
  parentItems,
  sampleItem,
} from "../../src/testing/platform.ts";

const api = useApi({ DATABASE_POOL_SIZE: "16" });
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

const leads = (count: number) =>
  Array.from({ length: count }, (_, index) => sampleItem("lead", `lead ${index}`));
const everyKind = itemTypes.map((type) => sampleItem(type, `a ${type}`));
const results = ({ data }: { data: Schemas["BatchResult"][] }) => data.map(({ result }) => result);
const post = (body: unknown) => asPlatform(api, platform.tenant.organizationId)("POST", "/batch", body);

/** Lets the database end deadlocks of changes of leads after 50 ms instead of a second. */
async function detectDeadlocksSoon(): Promise<void> {
  await api.db.$executeRawUnsafe(`
    CREATE FUNCTION detect_soon() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM set_config('deadlock_timeout', '50ms', true); RETURN NULL; END $$`);
  await api.db.$executeRawUnsafe(`
    CREATE TRIGGER detect_soon BEFORE UPDATE ON leads EXECUTE FUNCTION detect_soon()`);
}

describe("a batch", () => {
  test("is written in order, so later items can refer to earlier ones", async () => {
    const items = [
      sampleItem("chatbot", "new bot"),
      sampleItem("lead", "ada", { chatbot_external_id: "new bot", score: 10 }),
      sampleItem("conversation", "talk", { chatbot_external_id: "new bot", lead_external_id: "ada" }),
      sampleItem("message", "talk/1", { conversation_external_id: "talk", sentiment: "negative" }),
      sampleItem("message", "talk/2", { conversation_external_id: "talk", role: "chatbot" }),
      sampleItem("message_feedback", "thumb", { message_external_id: "talk/2" }),
      sampleItem("tool_run", "run", { chatbot_external_id: "new bot", conversation_external_id: "talk" }),
      sampleItem("ticket", "help", { lead_external_id: "ada", conversation_external_id: "talk" }),
      sampleItem("meeting", "demo", { chatbot_external_id: "new bot", lead_external_id: "ada" }),
      sampleItem("lead", "ada", { chatbot_external_id: "new bot", score: 20 }),
      sampleItem("usage_record", "used", { quantity: 2 }),
      sampleItem("conversation", "talk", { chatbot_external_id: "new bot", status: "ended" }),
    ];
    const { data, meta } = await platform.batch(items);
    expect(meta).toMatchObject({ count: 12, created: 10, updated: 2, unchanged: 0, failed: 0 });
    const names = data.map((line) => ("id" in line ? [line.index, line.type, line.external_id] : line));
    expect(names).toEqual(items.map(({ type, external_id }, index) => [index, type, external_id]));
    const ids = data.map((line) => ("id" in line ? line.id : ""));
    expect(ids[9]).toBe(ids[1]);
    expect(ids[11]).toBe(ids[2]);

    const events = await platform.events();
    expect(events.map(({ type, data: { id } }) => [type, ids.indexOf(id)])).toEqual([
      ["lead.created", 1],
      ["conversation.started", 2],
      ["conversation.message_received", 3],
      ["conversation.sentiment_negative", 2],
      ["message.feedback_positive", 5],
      ["agent.tool_executed", 6],
      ["ticket.created", 7],
      ["meeting.scheduled", 8],
      ["lead.updated", 1],
      ["lead.score_changed", 1],
      ["conversation.ended", 2],
    ]);
    expect(await platform.seen(`/api/v1/tickets/${ids[7]}`)).toMatchObject({
      attributes: { lead_id: ids[1], conversation_id: ids[2] },
    });
  });

  test("fails for an item that refers to a later one, which is written", async () => {
    const message = sampleItem("message", "talk/1", { conversation_external_id: "talk" });
    const items = [message, sampleItem("conversation", "talk"), message];
    expect(results(await platform.batch(items))).toEqual(["failed", "created", "created"]);
  });

  test("may write one record several times", async () => {
    const scores = [1, 2, 2, 1].map((score) => sampleItem("lead", "ada", { score }));
    expect(results(await platform.batch(scores))).toEqual(["created", "updated", "unchanged", "updated"]);
    const published = (await platform.events()).flatMap((event) =>
      event.type === "lead.score_changed" ? [event.data.attributes.score] : [],
    );
    expect(published).toEqual([2, 1]);
  });

  test("that is sent twice writes and publishes nothing the second time", async () => {
    const first = await platform.batch(everyKind);
    await platform.events();
    const second = await platform.batch(everyKind);
    expect(second.meta).toMatchObject({ count: 9, created: 0, updated: 0, unchanged: 9, failed: 0 });
    expect(second.data).toEqual(first.data.map((line) => ({ ...line, result: "unchanged" })));
    expect(await platform.events()).toEqual([]);
  });

  test("that is sent twice concurrently writes and publishes each record once", async () => {
    const [one, other] = await Promise.all([platform.batch(everyKind), platform.batch(everyKind)]);
    expect(one.data.map((line) => ({ ...line, result: "" }))).toEqual(
      other.data.map((line) => ({ ...line, result: "" })),
    );
    for (const [index, line] of one.data.entries()) {
      expect(new Set([line.result, other.data[index]?.result])).toEqual(new Set(["created", "unchanged"]));
    }
    const published = await platform.events();
    expect(published.map(({ type }) => type)).toEqual([
      "lead.created",
      "conversation.started",
      "conversation.message_received",
      "ticket.created",
      "meeting.scheduled",
      "message.feedback_positive",
      "agent.tool_executed",
    ]);
  });

  test("that another one changes in the opposite order is written, although the database ends one of the transactions", async () => {
    await detectDeadlocksSoon();
    await platform.batch(leads(50));
    await platform.events();
    const items = leads(50).map(
      (item) => ({ ...item, attributes: { ...item.attributes, score: 10 } }) as typeof item,
    );
    const both = await Promise.all([platform.batch(items), platform.batch([...items].reverse())]);
    const written = both.flatMap(results);
    expect(written.toSorted()).toEqual([...Array(50).fill("unchanged"), ...Array(50).fill("updated")]);
    expect(await platform.types()).toHaveLength(100);
  });

  test("uses the threshold of a chatbot that it changes", async () => {
    const lead = (name: string) => sampleItem("lead", name, { score: 60 });
    const bot = sampleItem("chatbot", "bot", { qualification_threshold: 50 });
    await platform.batch([lead("before"), bot, lead("after")]);
    expect(await platform.types()).toEqual(["lead.created", "lead.created", "lead.qualified"]);
  });

  test("interrupted by a database failure can be sent again without writing twice", async () => {
    await api.db.$executeRawUnsafe(`
      CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`);
    await api.db.$executeRawUnsafe(`
      CREATE TRIGGER cut_off AFTER INSERT ON leads
      FOR EACH ROW WHEN (new.external_id = 'lead 53') EXECUTE FUNCTION cut_off()`);
    const response = await post({ items: leads(60) });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: "server_error" });
    expect(await platform.count("lead")).toBe(50); // The first group of 50 items.

    await api.db.$executeRawUnsafe("DROP TRIGGER cut_off ON leads");
    await vi.waitFor(async () => expect((await api.fetch(`${api.url}/readyz`)).status).toBe(200), {
      timeout: 30_000,
    });
    const again = await platform.batch(leads(60));
    expect(results(again)).toEqual([...Array(50).fill("unchanged"), ...Array(10).fill("created")]);
    expect(await platform.types()).toEqual(Array(60).fill("lead.created"));
  });
});

describe("the size of a batch", () => {
  test("is limited to 500 items", async () => {
    const { data, meta } = await platform.batch(leads(500));
    expect(meta).toMatchObject({ count: 500, created: 500, failed: 0 });
    expect(data.map(({ index }) => index)).toEqual(Array.from({ length: 500 }, (_, index) => index));
    expect(await platform.count("lead")).toBe(500);
    const published = new Set((await platform.events()).map(({ type, data: { id } }) => `${type} ${id}`));
    expect(published).toEqual(new Set(data.map((line) => "id" in line && `lead.created ${line.id}`)));
  });

  test.each([
    ["no items", { items: [] }, "body/items must have at least 1 item"],
    ["501 items", { items: leads(501) }, "body/items must have at most 500 items"],
    ["items that are no list", { items: { 0: leads(1)[0] } }, "body/items must be an array"],
    ["a list instead of an object", leads(1), "body must be an object"],
    ["items under another name", { records: leads(1) }, "body/items is required"],
    ["an unknown member", { items: leads(1), dry_run: true }, "body/dry_run is not a known field"],
  ])("with %s is rejected as a whole", async (_name, body, message) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: "invalid_request", error_description: message });
    expect(await platform.count("lead")).toBe(0);
  });

  test("is limited to 1 MiB", async () => {
    const tickets = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        sampleItem("ticket", `${index}`, { description: "x".repeat(20_000) }),
      );
    const large = await post({ items: tickets(53) });
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ error_description: expect.stringContaining("1 MiB") });
    expect(await platform.count("ticket")).toBe(0);
    expect((await platform.batch(tickets(52))).meta).toMatchObject({ created: 52 });
  });
});

test("a batch does not write unchanged records", async () => {
  expect(results(await platform.batch(parentItems))).toEqual(["unchanged", "unchanged", "unchanged"]);
});
