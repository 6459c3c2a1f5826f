/** Conditions of subscriptions: PostgreSQL compares bodies with them as described, and wrong ones are refused. */
import { createPool } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conditionProblem, conditionsPath, normalizeConditions } from "../src/index.ts";

type Condition = Parameters<typeof conditionProblem>[0];

let db: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  db = createPool(database.url, { poolSize: 1 });
  close = async () => {
    await db.end();
    await database.release();
  };
});
afterAll(() => close());

const body = {
  type: "lead.updated",
  chatbot_id: null,
  data: {
    attributes: {
      status: "qualified",
      score: 80,
      source: null,
      contact: { name: 'Ada "the first" \\ Novák 👋', email: "ada@example.com" },
      qualification: { "How much?": "10-20k", team: ["sales", "support"], none: [], urgent: true, seats: 12 },
      qualified_at: "2026-03-01T10:00:00.000Z",
      converted_at: null,
    },
  },
  previous_attributes: { score: 40 },
};

async function meets(conditions: Condition[]): Promise<boolean> {
  const path = conditionsPath(normalizeConditions(conditions, ["lead.updated"]));
  const { rows } = await db.query<{ met: boolean | null }>("SELECT $1::jsonb @@ $2::jsonpath AS met", [
    JSON.stringify(body),
    path,
  ]);
  return rows[0]?.met === true;
}

describe("a condition", () => {
  const attribute = (name: string) => `data.attributes.${name}`;
  test.each<[field: string, op: Condition["op"], value: Condition["value"], met: boolean]>([
    ["status", "equals", "qualified", true],
    ["status", "equals", "new", false],
    ["status", "not_equals", "new", true],
    ["status", "not_equals", "qualified", false],
    ["status", "in", ["new", "qualified"], true],
    ["status", "in", ["new", null], false],
    ["source", "in", ["x", null], true],
    ["source", "equals", null, true],
    ["source", "equals", "x", false],
    ["source", "not_equals", null, false],
    ["source", "not_equals", "x", true],
    ["source", "exists", true, false],
    ["source", "exists", false, true],
    ["contact.name", "equals", 'Ada "the first" \\ Novák 👋', true],
    ["contact.name", "not_equals", "Ada", true],
    ["contact.name", "exists", undefined as never, true],
    ["contact", "exists", true, true],
    ["score", "greater", 79.5, true],
    ["score", "greater", 80, false],
    ["score", "less", 81, true],
    ["score", "less", -1, false],
    ["score", "equals", 80, true],
    ["qualified_at", "greater", "2026-03-01T10:59:59+01:00", true],
    ["qualified_at", "greater", "2026-03-01T10:00:00Z", false],
    ["qualified_at", "less", "2026-03-01T10:00:00.001Z", true],
    ["qualified_at", "equals", "2026-03-01T11:00:00+01:00", true],
    ["converted_at", "less", "2030-01-01T00:00:00Z", false],
    ["qualification.How much?", "equals", "10-20k", true],
    ["qualification.missing", "exists", false, true],
    ["qualification.missing", "equals", null, true],
    ["qualification.missing", "not_equals", "x", true],
    ["qualification.missing", "greater", 1, false],
    ["qualification.team", "equals", "support", true],
    ["qualification.team", "not_equals", "support", false],
    ["qualification.team", "in", ["hr", "sales"], true],
    ["qualification.none", "exists", true, true],
    ["qualification.none", "equals", null, false],
    ["qualification.none", "not_equals", "x", true],
    ["qualification.urgent", "equals", true, true],
    ["qualification.urgent", "not_equals", "true", true],
    ["qualification.seats", "greater", 9, true],
    ["qualification.seats", "equals", "12", false],
    ["qualification.seats", "not_equals", "12", true],
  ])("%s %s %j: %s", async (field, op, value, met) => {
    const condition = { field: attribute(field), op, ...(value !== undefined && { value }) };
    expect(conditionProblem(condition, ["lead.updated"])).toBeUndefined();
    expect(await meets([condition])).toBe(met);
  });

  test("can name members of the envelope and previous attributes", async () => {
    expect(await meets([{ field: "previous_attributes.score", op: "less", value: 80 }])).toBe(true);
    expect(await meets([{ field: "previous_attributes.status", op: "exists" }])).toBe(false);
    expect(await meets([{ field: "chatbot_id", op: "equals", value: null }])).toBe(true);
    expect(await meets([{ field: "type", op: "equals", value: "lead.updated" }])).toBe(true);
  });

  test("is one of several that must all be met", async () => {
    const score: Condition = { field: attribute("score"), op: "greater", value: 50 };
    const status: Condition = { field: attribute("status"), op: "in", value: ["new", "qualified"] };
    expect(await meets([score, status])).toBe(true);
    expect(await meets([score, { field: attribute("source"), op: "exists" }])).toBe(false);
    expect(await meets([{ ...score, value: 90 }, status])).toBe(false);
  });

  test("cannot change the predicate", async () => {
    const names = ['x" || true || "', "x) || (true", "$", "*", "**", "@", "constructor", "\\", "a b"];
    for (const name of names) {
      expect(await meets([{ field: attribute(`qualification.${name}`), op: "exists" }])).toBe(false);
      expect(await meets([{ field: attribute("contact.name"), op: "equals", value: name }])).toBe(false);
    }
  });
});

test.each<[Condition, string[], string]>([
  [{ field: "data.attributes.scor", op: "exists" }, ["lead.created"], "is not a field of lead.created"],
  [
    { field: "data.attributes.score", op: "greater", value: 1 },
    ["lead.created", "ticket.created"],
    'field "data.attributes.score" is not a field of ticket.created',
  ],
  [
    { field: "data.attributes.status", op: "exists" },
    ["*"],
    "is not a field of conversation.message_received; list the event types that have it",
  ],
  [{ field: "constructor", op: "exists" }, ["lead.created"], "is not a field of lead.created"],
  [
    { field: "data.attributes.contact", op: "equals", value: "x" },
    ["lead.created"],
    'field "data.attributes.contact" is an object, so that only exists can be used for it',
  ],
  [
    { field: "data.attributes.contact.name", op: "greater", value: "A" },
    ["lead.created"],
    'field "data.attributes.contact.name" is neither a number nor a time, so that greater cannot be used for it',
  ],
  [
    { field: "data.attributes.score", op: "equals", value: "80" },
    ["lead.created"],
    'value must be a number, as "data.attributes.score" is',
  ],
  [
    { field: "data.attributes.status", op: "equals", value: "nwe" },
    ["lead.created"],
    'value must be one of new, qualified, converted, disqualified, as "data.attributes.status" is',
  ],
  [
    { field: "data.attributes.created_at", op: "less", value: "yesterday" },
    ["lead.created"],
    'value must be an RFC 3339 timestamp with Z or an offset, as "data.attributes.created_at" is',
  ],
  [
    { field: "data.attributes.status", op: "in", value: "new" },
    ["lead.created"],
    "value must be a list of values",
  ],
  [
    { field: "data.attributes.status", op: "equals", value: ["new"] },
    ["lead.created"],
    "value must be one value; for a list of values, use in",
  ],
  [{ field: "data.attributes.status", op: "equals" }, ["lead.created"], "value is required"],
  [{ field: "data.attributes.score", op: "less", value: null }, ["lead.created"], "value must be a number"],
  [{ field: "data.id", op: "exists", value: "yes" }, ["lead.created"], "value must be true or false"],
])("refuses %j for %j: %s", (condition, types, expected) => {
  const { member, problem } = conditionProblem(condition, types) ?? {};
  expect(`${member} ${problem}`).toContain(expected);
});

test("a value that is no time stays as it is, because another type may have the field as text", () => {
  const condition = {
    field: "data.attributes.created_at",
    op: "in",
    value: ["abc", "2026-03-01T10:00:00+01:00"],
  } as const;
  const [normalized] = normalizeConditions([{ ...condition, value: [...condition.value] }], ["lead.created"]);
  expect(normalized?.value).toEqual(["abc", "2026-03-01T09:00:00.000Z"]);
});

test("fields that all types have can be used for all types", () => {
  for (const field of ["id", "type", "chatbot_id", "data.id", "data.type", "created_at"]) {
    expect(conditionProblem({ field, op: "exists" }, ["*"])).toBeUndefined();
  }
});
