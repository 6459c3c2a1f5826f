import type { Schemas } from "@parley/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChatbot } from "../testing/chatbot.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import type { HtmlPage } from "../testing/html-page.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { secretIn } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole({ MAX_SUBSCRIPTIONS: "3" });
});
afterAll(() => fixture.close());

const url = "https://receiver.example.com/hook?a=1&b=2";
const minimal = { target_url: url, types: "all" };

const create = async (visitor: Visitor, fields: Record<string, string | string[] | null>) =>
  visitor.submit(await visitor.open("/console/webhooks/new"), "save", fields);

const idOf = ({ address }: HtmlPage) => address.split("/").at(-1) ?? "";

const subscription = (visitor: Visitor, id: string) =>
  visitor.read<Schemas["Subscription"]>(`/api/v1/webhooks/${id}`);

describe("creating a webhook", () => {
  test("stores every field as the API returns it", async () => {
    const visitor = await startVisitor(fixture);
    const chatbot = await createChatbot(fixture.db, visitor.organizationId, "Sales <bot>");
    const conditions = [{ field: "data.attributes.score", op: "greater", value: 80 }];
    const page = await create(visitor, {
      target_url: `  ${url} `,
      types: "selected",
      event_types: ["lead.created", "lead.qualified"],
      chatbot_id: chatbot.id,
      conditions: JSON.stringify(conditions, null, 2),
      headers: "X-Api-Key: some: value\r\n\r\n  X-Tenant :7 ",
      rate_limit: " 25 ",
      ordering: "record",
      public_key_signature: "true",
    });
    expect(page.role("status")).toBe("The webhook was created.");
    expect(page.heading).toBe(url);
    expect(await subscription(visitor, idOf(page))).toMatchObject({
      target_url: url,
      event_types: ["lead.created", "lead.qualified"],
      filters: { chatbot_id: chatbot.id, conditions },
      header_names: ["x-api-key", "x-tenant"],
      rate_limit: 25,
      ordering: "record",
      public_key_signature: true,
      status: "active",
    });
    const shown = ["Event types", "Chatbot", "Conditions", "Headers", "Rate limit", "Order"];
    expect(shown.map((term) => page.details(term))).toEqual([
      "lead.created lead.qualified",
      "Sales <bot>",
      "data.attributes.score greater 80",
      "x-api-key, x-tenant",
      "25 deliveries per second",
      "The events of each record are sent in order.",
    ]);
    const keys = await fetch(page.link(page.details("Public keys") ?? "") ?? "");
    expect(((await keys.json()) as { keys: unknown[] }).keys).toHaveLength(1);
    expect(page.html).not.toContain("some: value");
  });

  test("without options, receives all events in any order", async () => {
    const visitor = await startVisitor(fixture);
    const page = await create(visitor, minimal);
    const stored = await subscription(visitor, idOf(page));
    expect(stored).toMatchObject({ target_url: url, event_types: ["*"], filters: {} });
    for (const option of ["rate_limit", "ordering", "public_key_signature", "header_names"]) {
      expect(stored).not.toHaveProperty(option);
    }
    expect(page.details("Event types")).toBe("All, also types that are added later");
  });

  test("shows the secret once", async () => {
    const visitor = await startVisitor(fixture);
    const form = (await visitor.open("/console/webhooks/new")).form("save");
    const target = `${fixture.url}/console/webhooks/new`;
    const response = await visitor.browser.post(target, { ...form.fields, ...minimal });
    const address = response.headers.get("location") ?? "";
    const page = `${fixture.url}${address}`;
    expect((await visitor.browser.send(page, { method: "HEAD" })).status).toBe(200);
    expect(secretIn(await visitor.open("/console/webhooks"))).toBeUndefined();
    expect(secretIn(await visitor.open(address))).toMatch(/^parley_ws_/);
    for (const again of [address, `${address}/edit`, "/console/webhooks", "/console"]) {
      expect(secretIn(await visitor.open(again))).toBeUndefined();
    }
  });
});

describe("a rejected value is shown at its field, and what was typed is kept", () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await startVisitor(fixture);
  });

  const typed = {
    target_url: url,
    types: "selected",
    event_types: ["lead.created", "ticket.created"],
    conditions: "",
    headers: "X-Api-Key: <secret>",
    rate_limit: "7",
    ordering: "record",
    public_key_signature: "true",
  };

  test.each<[field: string, problem: string, changes: Record<string, string | string[] | null>]>([
    ["target_url", "Must be an https URL.", { target_url: "http://example.com/hook" }],
    ["target_url", "Must be an absolute URL.", { target_url: "hook" }],
    ["target_url", "Must be an absolute URL.", { target_url: "" }],
    [
      "target_url",
      "Must not point to a private, local or reserved address.",
      { target_url: "https://10.0.0.7/" },
    ],
    ["event_types", "Select at least one event type, or all.", { event_types: null }],
    [
      "conditions",
      'Must be a JSON array, for example [{"field": "data.attributes.score", "op": "greater", "value": 80}].',
      { conditions: "score > 80" },
    ],
    [
      "conditions",
      'Must be a JSON array, for example [{"field": "data.attributes.score", "op": "greater", "value": 80}].',
      { conditions: '{"field": "data.id"}' },
    ],
    [
      "conditions",
      'Condition 1: field "data.attributes.scoer" is not a field of lead.created. Did you mean score?',
      {
        event_types: "lead.created",
        conditions: '[{"field": "data.attributes.scoer", "op": "equals", "value": 1}]',
      },
    ],
    [
      "conditions",
      "Condition 2: op must be one of equals, not_equals, in, greater, less, exists.",
      { conditions: '[{"field": "id", "op": "exists"}, {"field": "id", "op": "like", "value": "x"}]' },
    ],
    ["headers", "Line 2 must be a name, a colon and a value.", { headers: "X-One: 1\nX-Two" }],
    ["headers", "Line 1 must be a name, a colon and a value.", { headers: ": value" }],
    ["headers", "Line 1 must be a name, a colon and a value.", { headers: "X-One:" }],
    ["headers", "Line 3 repeats the header X-One.", { headers: "X-One: 1\n\nX-One: 3" }],
    ["headers", "X-one occurs twice: upper and lower case are the same.", { headers: "X-One: 1\nx-one: 3" }],
    ["headers", "Webhook-Id is reserved: Parley or HTTP sets this header.", { headers: "Webhook-Id: 1" }],
    ["headers", "X y is not the name of an HTTP header.", { headers: "X y: 1" }],
    ["rate_limit", "Must be a whole number from 1 to 1000, or empty.", { rate_limit: "many" }],
    ["rate_limit", "Must be a whole number from 1 to 1000, or empty.", { rate_limit: "0" }],
    ["rate_limit", "Must be a whole number from 1 to 1000, or empty.", { rate_limit: "0x10" }],
    ["rate_limit", "Must be a whole number from 1 to 1000, or empty.", { rate_limit: "2.5" }],
    ["rate_limit", "Must be a whole number from 1 to 1000, or empty.", { rate_limit: "1001" }],
  ])("%s: %s", async (field, problem, changes) => {
    const sent = { ...typed, ...changes };
    const page = await create(visitor, sent);
    expect([page.address, page.problem(field)]).toEqual(["/console/webhooks/new", problem]);
    const { fields } = page.form("save");
    for (const [name, value] of Object.entries(sent)) {
      expect([name, fields[name] ?? null]).toEqual([name, value]);
    }
    expect(await fixture.db.subscription.count({ where: { organizationId: visitor.organizationId } })).toBe(
      0,
    );
  });

  test("several problems at once", async () => {
    const page = await create(visitor, { ...typed, conditions: "x", headers: "x", rate_limit: "x" });
    const problems = ["conditions", "headers", "rate_limit"].map((field) => page.problem(field));
    expect(problems.every((problem) => problem !== undefined)).toBe(true);
  });

  test("a chatbot of another organization", async () => {
    const other = await startVisitor(fixture);
    const foreign = await createChatbot(fixture.db, other.organizationId, "Foreign bot");
    const page = await create(visitor, { ...minimal, chatbot_id: foreign.id });
    expect(page.problem("chatbot_id")).toBe("Must be the ID of a chatbot of the organization.");
    expect(page.html).not.toContain("Foreign bot");
  });

  test("more than the maximum number of webhooks", async () => {
    const full = await startVisitor(fixture);
    for (const number of [1, 2, 3]) await create(full, { ...minimal, target_url: `${url}&n=${number}` });
    const page = await create(full, { ...typed, target_url: `${url}&n=4` });
    expect(page.role("alert")).toBe(
      "The organization has the maximum of 3 webhook subscriptions. Delete one first.",
    );
    expect(page.form("save").fields["target_url"]).toBe(`${url}&n=4`);
    expect((await full.open("/console/usage")).text).toContain("Webhooks 3 of 3");
  });

  test("problems and typed values are shown once", async () => {
    await create(visitor, { ...typed, rate_limit: "many" });
    const again = await visitor.open("/console/webhooks/new");
    expect(again.problem("rate_limit")).toBeUndefined();
    expect(again.form("save").fields).toMatchObject({ target_url: "", rate_limit: "", headers: "" });
  });
});

describe("editing a webhook", () => {
  const all = {
    target_url: url,
    types: "selected",
    event_types: ["lead.created", "lead.qualified"],
    conditions: '[{"field": "data.attributes.score", "op": "greater", "value": 80}]',
    headers: "X-Api-Key: one",
    rate_limit: "25",
    ordering: "record",
  };

  /** Returns the headers that deliveries of a subscription have. */
  async function headersOf(id: string): Promise<{ headers: Uint8Array | null; headerNames: string[] }> {
    return fixture.db.subscription.findUniqueOrThrow({
      where: { id },
      select: { headers: true, headerNames: true },
    });
  }

  async function edit(visitor: Visitor, id: string, changes: Record<string, string | string[] | null>) {
    return visitor.submit(await visitor.open(`/console/webhooks/${id}/edit`), "save", changes);
  }

  test("saving the form unchanged changes nothing", async () => {
    const visitor = await startVisitor(fixture);
    const id = idOf(await create(visitor, all));
    const before = [await subscription(visitor, id), await headersOf(id)];
    const page = await edit(visitor, id, {});
    expect(page.role("status")).toBe("The changes were saved.");
    expect([await subscription(visitor, id), await headersOf(id)]).toEqual(before);
  });

  test("keeps the headers unless they are replaced", async () => {
    const visitor = await startVisitor(fixture);
    const id = idOf(await create(visitor, all));
    const before = await headersOf(id);
    await edit(visitor, id, { target_url: `${url}&new` });
    expect(await headersOf(id)).toEqual(before);
    expect((await subscription(visitor, id)).target_url).toBe(`${url}&new`);

    await edit(visitor, id, { replace_headers: "true", headers: "X-Other: two" });
    expect((await subscription(visitor, id)).header_names).toEqual(["x-other"]);
    await edit(visitor, id, { replace_headers: "true", headers: "" });
    expect(await headersOf(id)).toEqual({ headers: null, headerNames: [] });
  });

  test("asks whether typed headers replace the old ones", async () => {
    const visitor = await startVisitor(fixture);
    const id = idOf(await create(visitor, all));
    const page = await edit(visitor, id, { headers: "X-Other: two" });
    expect(page.problem("headers")).toBe("Select “Replace the headers” to send these, or remove them.");
    expect(page.form("save").fields["headers"]).toBe("X-Other: two");
    expect((await subscription(visitor, id)).header_names).toEqual(["x-api-key"]);
  });

  test("adds headers to a webhook that has none", async () => {
    const visitor = await startVisitor(fixture);
    const id = idOf(await create(visitor, minimal));
    await edit(visitor, id, { headers: "X-Api-Key: one" });
    expect((await subscription(visitor, id)).header_names).toEqual(["x-api-key"]);
  });

  test("removes chatbot, conditions, rate limit and order", async () => {
    const visitor = await startVisitor(fixture);
    const chatbot = await createChatbot(fixture.db, visitor.organizationId, "Bot");
    const id = idOf(await create(visitor, { ...all, chatbot_id: chatbot.id }));
    await edit(visitor, id, { chatbot_id: "", conditions: "", rate_limit: "", ordering: null, types: "all" });
    const after = await subscription(visitor, id);
    expect(after).toMatchObject({ filters: {}, event_types: ["*"], header_names: ["x-api-key"] });
    expect(after).not.toHaveProperty("rate_limit");
    expect(after).not.toHaveProperty("ordering");
  });

  test("shows the stored values, and after a rejection the typed ones", async () => {
    const visitor = await startVisitor(fixture);
    const id = idOf(await create(visitor, all));
    const { fields } = (await visitor.open(`/console/webhooks/${id}/edit`)).form("save");
    expect(fields).toMatchObject({
      target_url: url,
      types: "selected",
      event_types: ["lead.created", "lead.qualified"],
      rate_limit: "25",
      ordering: "record",
      headers: "",
    });
    expect(JSON.parse(fields["conditions"] as string)).toEqual(JSON.parse(all.conditions));
    const page = await edit(visitor, id, { rate_limit: "many", ordering: null });
    expect(page.address).toBe(`/console/webhooks/${id}/edit`);
    expect(page.problem("rate_limit")).toBeDefined();
    expect(page.form("save").fields).toMatchObject({ rate_limit: "many" });
    expect(page.form("save").fields).not.toHaveProperty("ordering");
  });
});
