import { expect, test } from "vitest";
import { checkEvent } from "./conformance.ts";
import {
  allowsScope,
  description,
  eventTypes,
  operationTable,
  requestsPerMinute,
  type Scope,
  scopeMeanings,
  scopeOfEvent,
} from "./index.ts";

interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Body {
  $ref?: string;
  content?: Record<string, Media>;
}
interface OperationObject {
  operationId?: string;
  requestBody?: Body;
  responses: Record<string, Body>;
}

const paths = Object.entries(description.paths as object as Record<string, Record<string, OperationObject>>);
const webhooks = Object.entries(description.webhooks as object as Record<string, { post: OperationObject }>);
const responses = description.components.responses as Record<string, Body>;

test("declares the ten core operations with their scopes", () => {
  const table = operationTable.map(
    ({ method, path, scopes }) => `${method} ${path} ${scopes?.join(" ") ?? "public"}`,
  );
  expect(table).toEqual(
    expect.arrayContaining([
      "GET /api/v1/chatbots ",
      "GET /api/v1/leads leads:read",
      "GET /api/v1/tickets tickets:read",
      "GET /api/v1/meetings meetings:read",
      "POST /api/v1/webhooks/subscribe webhooks:manage",
      "GET /api/v1/webhooks webhooks:manage",
      "GET /api/v1/webhooks/{id} webhooks:manage",
      "DELETE /api/v1/webhooks/{id} webhooks:manage",
      "GET /api/oauth/authorize public",
      "POST /api/oauth/token public",
    ]),
  );
});

test("declares the 22 event types, each with a webhook", () => {
  expect(eventTypes).toHaveLength(22);
  expect(webhooks.map(([type]) => type)).toEqual(eventTypes);
});

test("declares the eight scopes and the rate limit of each plan", () => {
  expect(Object.keys(scopeMeanings)).toEqual(description.components.schemas.Scope["x-extensible-enum"]);
  expect(Object.keys(scopeMeanings)).toHaveLength(8);
  expect(requestsPerMinute).toEqual({ starter: 100, pro: 300, business: 1000 });
});

test("reserves webhooks for admins, and no other scope", () => {
  const scopes = Object.keys(scopeMeanings) as Scope[];
  expect(scopes.filter((scope) => !allowsScope("member", scope))).toEqual(["webhooks:manage"]);
  expect(scopes.filter((scope) => !allowsScope("admin", scope))).toEqual([]);
});

test("requires the read scope of the record for each event of the feed", () => {
  const prefixes: Record<string, string[]> = {};
  for (const type of eventTypes) {
    const prefix = type.split(".")[0] ?? "";
    prefixes[String(scopeOfEvent(type))] = [
      ...new Set([...(prefixes[String(scopeOfEvent(type))] ?? []), prefix]),
    ];
  }
  expect(prefixes).toEqual({
    "leads:read": ["lead"],
    "conversations:read": ["conversation", "message"],
    "tickets:read": ["ticket"],
    "meetings:read": ["meeting"],
    null: ["agent", "usage"],
  });
});

const extensible = Object.entries(description.components.schemas as Record<string, { description?: string }>)
  .filter(([, schema]) => "x-extensible-enum" in schema)
  .map(([name, schema]) => [name, schema as { description: string; "x-extensible-enum": string[] }] as const);

test.each(extensible)("%s: requests accept the same values as responses", (name, schema) => {
  const inputs = description.components.schemas as Record<string, { enum?: string[] }>;
  const expected = ["Plan", "Scope"].includes(name) ? undefined : schema["x-extensible-enum"]; // No request has these.
  expect(inputs[`${name}Input`]?.enum).toEqual(expected);
  expect(schema.description).toContain("may be added");
});

test("takes an Idempotency-Key in exactly the operations that respond with Idempotent-Replayed", () => {
  const marked = operationTable.filter(({ takesIdempotencyKey }) => takesIdempotencyKey);
  const replaying = paths
    .flatMap(([, item]) => Object.values(item))
    .filter((operation) =>
      JSON.stringify(operation.responses ?? {}).includes("#/components/headers/IdempotentReplayed"),
    );
  expect(marked.map(({ operationId }) => operationId)).toEqual(
    replaying.map(({ operationId }) => operationId),
  );
  expect(marked).not.toHaveLength(0);
});

test("has an example for every request and response body", () => {
  const operations = [
    ...paths.flatMap(([path, item]) =>
      Object.entries(item).map(([method, o]) => [`${method} ${path}`, o] as const),
    ),
    ...webhooks.map(([type, { post }]) => [type, post] as const),
  ].filter(([, operation]) => "responses" in operation);
  const missing = operations.flatMap(([name, { requestBody = {}, responses: declared }]) =>
    [["request", requestBody] as const, ...Object.entries(declared)].flatMap(([part, body]) =>
      Object.values(resolved(body).content ?? {})
        .filter(({ example, examples }) => example === undefined && examples === undefined)
        .map(() => `${name} ${part}`),
    ),
  );
  expect(operations.length).toBeGreaterThan(22 + 10);
  expect(missing).toEqual([]);
});

test.each(webhooks)("the example of %s is an event of that type", (type, { post }) => {
  const { example } = post.requestBody?.content?.["application/json"] ?? {};
  expect(example).toMatchObject({ type });
  expect(checkEvent(type, example)).toEqual([]);
});

function resolved(body: Body): Body {
  return body.$ref ? (responses[body.$ref.split("/").at(-1) ?? ""] ?? {}) : body;
}
