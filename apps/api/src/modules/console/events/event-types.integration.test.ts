import { eventTypes } from "@parley/contract";
import { checkEvent } from "@parley/contract/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChatbot } from "../testing/chatbot.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";
import { createWebhook } from "../testing/webhook.ts";

let fixture: ConsoleFixture;
let visitor: Visitor;
beforeAll(async () => {
  fixture = await startConsole();
  visitor = await startVisitor(fixture, "admin");
});
afterAll(() => fixture.close());

test("the contract has 22 event types, and the list shows each with its meaning", async () => {
  const rows = (await visitor.open("/console/event-types")).rows("Event types");
  expect(rows.map(([type]) => type)).toEqual(eventTypes);
  expect(rows).toHaveLength(22);
  for (const [type, meaning] of rows)
    expect([type, meaning]).toEqual([type, expect.stringMatching(/^[A-Z].*\.$/)]);
  expect(new Set(rows.map(([, meaning]) => meaning)).size).toBe(22);
});

/** Returns the paths of the members of an example; those of the items of a list follow `[]`. */
function pathsOf(value: unknown, parent = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${parent}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = parent === "" ? name : `${parent}.${name}`;
    return [path, ...pathsOf(member, path)];
  });
}

/** Members whose names depend on the organization or on the change. */
const freeMembers = /^previous_attributes\.|\.qualification\./;

describe.each(eventTypes)("%s", (type) => {
  test("has a title, described fields and a valid example, whose members are among the fields", async () => {
    const page = await visitor.open(`/console/event-types/${type}`);
    expect(page.heading).toBe(type);
    const fields = page.rows(`Fields of ${type}`);
    const paths = fields.map(([path]) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const [path, kind, description] of fields) {
      expect([path, kind, description]).toEqual([
        path,
        expect.stringMatching(/\w/),
        expect.stringMatching(/\w/),
      ]);
    }
    const example = JSON.parse(page.code.at(-1) ?? "");
    expect(checkEvent(type, example)).toEqual([]);
    expect(example.type).toBe(type);
    const missing = pathsOf(example).filter((path) => !paths.includes(path) && !freeMembers.test(path));
    expect(missing).toEqual([]);
    expect(page.link("Latest events of this type")).toBe(`/console/events?event_type=${type}`);
    expect((await fetch(`${fixture.url}${page.link("Reference")}`)).status).toBe(200);
  });
});

test("the page of a type shows which webhooks receive it", async () => {
  const own = await startVisitor(fixture);
  const { id: chatbot_id } = await createChatbot(fixture.db, own.organizationId, "Bot");
  await createWebhook(own, "https://all.example.com/");
  await createWebhook(own, "https://leads.example.com/", {
    types: "selected",
    event_types: "lead.created",
    chatbot_id,
    conditions: '[{"field": "data.attributes.score", "op": "greater", "value": 80}]',
  });
  expect((await own.open("/console/event-types/lead.created")).rows("Webhooks")).toEqual([
    ["https://leads.example.com/", "active", "one chatbot, conditions"],
    ["https://all.example.com/", "active", "none"],
  ]);
  expect((await own.open("/console/event-types/ticket.created")).rows("Webhooks")).toEqual([
    ["https://all.example.com/", "active", "none"],
  ]);
  const counts = (await own.open("/console/event-types")).rows("Event types");
  expect(counts.find(([type]) => type === "lead.created")?.[2]).toBe("2");
  expect((await visitor.open("/console/event-types/lead.created")).text).toContain(
    "No webhook receives this",
  );
});

test.each(["lead.lost", "*", "__proto__"])("an unknown type is not found: %s", async (type) => {
  expect((await visitor.open(`/console/event-types/${type}`, 404)).heading).toBe("Not found");
});
