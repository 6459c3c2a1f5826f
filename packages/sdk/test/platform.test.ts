import { expect, test } from "vitest";
import { ParleyPlatform, rawClient } from "../src/index.ts";
import { inTurn } from "./support/client.ts";
import { testClock } from "./support/clock.ts";
import { one, refusal } from "./support/replies.ts";
import { type Received, type Reply, startServer } from "./support/server.ts";

const key = "parley_pk_0";
const lead = { chatbot_external_id: "sales-bot", score: 82 };

async function startPlatform(reply: (request: Received, count: number) => Reply = () => one({ id: "a" })) {
  const server = await startServer(reply);
  const platform = new ParleyPlatform({ baseUrl: server.baseUrl, platformKey: key, clock: testClock() });
  return { ...server, platform, organization: platform.organization("org/1") };
}

test("a record goes to its own address, with the platform key and no idempotency key", async () => {
  const { organization, received } = await startPlatform();
  expect(await organization.upsert("leads", "crm 4711", lead)).toEqual(one({ id: "a" }).body);
  expect(received[0]).toMatchObject({
    method: "PUT",
    url: "/api/platform/v1/organizations/org%2F1/leads/crm%204711",
    headers: { authorization: `Bearer ${key}` },
    body: lead,
  });
  expect(received[0]?.headers["idempotency-key"]).toBeUndefined();
});

test("a batch", async () => {
  const { organization, received } = await startPlatform();
  const items = [{ type: "lead" as const, external_id: "crm-4711", attributes: lead }];
  await organization.batch(items);
  expect(received[0]).toMatchObject({
    method: "POST",
    url: "/api/platform/v1/organizations/org%2F1/batch",
    body: { items },
  });
  expect(received[0]?.headers["idempotency-key"]).toBeUndefined();
});

test.each<[string, Reply]>([
  ["429", refusal(429, "rate_limit_exceeded", { "retry-after": "0" })],
  ["503", refusal(503, "server_error")],
  ["a broken connection", { fault: "cut" }],
])("a record and a batch are sent again after %s, because both are idempotent", async (_, failure) => {
  const { organization, received } = await startPlatform(inTurn(failure, one({ id: "a" })));
  await organization.upsert("leads", "crm-4711", lead);
  expect(received.map(({ method }) => method)).toEqual(["PUT", "PUT"]);

  const other = await startPlatform(inTurn(failure, one([])));
  await other.organization.batch([]);
  expect(other.received.map(({ method }) => method)).toEqual(["POST", "POST"]);

  const raw = await startPlatform(inTurn(failure, one([])));
  const params = { path: { organization_id: "o" } };
  const path = "/api/platform/v1/organizations/{organization_id}/batch";
  await rawClient(raw.platform).POST(path, { params, body: { items: [] } });
  expect(raw.received.map(({ method }) => method)).toEqual(["POST", "POST"]);
});

test("a POST outside the Platform API is not sent again", async () => {
  const { platform, received } = await startPlatform(() => refusal(503, "server_error"));
  const { response } = await rawClient(platform).POST("/api/v1/tickets", { body: { subject: "Help" } });
  expect(response.status).toBe(503);
  expect(received).toHaveLength(1);
});

test("the key goes to the platform's door alone", async () => {
  const { platform, received } = await startPlatform();
  await rawClient(platform).GET("/api/v1/me");
  expect(received[0]?.headers.authorization).toBeUndefined();
});

test("without a key, or with an id that is none: a TypeError", async () => {
  expect(() => new ParleyPlatform({ baseUrl: "http://localhost", platformKey: "" })).toThrow(TypeError);
  const { organization, platform } = await startPlatform();
  expect(() => organization.upsert("leads", "..", lead)).toThrow(TypeError);
  expect(() => platform.organization("").batch([])).toThrow(TypeError);
});
