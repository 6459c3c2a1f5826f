import { expect, test } from "vitest";
import { ParleyPlatform, rawClient } from "../src/index.ts";
import { inSequence } from "./support/client.ts";
import { createTestClock } from "./support/clock.ts";
import { dataResponse, errorResponse } from "./support/responses.ts";
import { type ReceivedRequest, startTestServer, type TestResponse } from "./support/server.ts";

const key = "parley_pk_0";
const lead = { chatbot_external_id: "sales-bot", score: 82 };

async function startPlatformClient(
  respond: (request: ReceivedRequest, count: number) => TestResponse = () => dataResponse({ id: "a" }),
) {
  const server = await startTestServer(respond);
  const platform = new ParleyPlatform({
    baseUrl: server.baseUrl,
    platformKey: key,
    clock: createTestClock(),
  });
  return { ...server, platform, organization: platform.organization("org/1") };
}

test("upsert sends a record with the platform key and no idempotency key", async () => {
  const { organization, received } = await startPlatformClient();
  expect(await organization.upsert("leads", "crm 4711", lead)).toEqual(dataResponse({ id: "a" }).body);
  expect(received[0]).toMatchObject({
    method: "PUT",
    url: "/api/platform/v1/organizations/org%2F1/leads/crm%204711",
    headers: { authorization: `Bearer ${key}` },
    body: lead,
  });
  expect(received[0]?.headers["idempotency-key"]).toBeUndefined();
});

test("delete sends the kind and the external ID", async () => {
  const { organization, received } = await startPlatformClient();
  await organization.delete("meetings", "demo 4711");
  expect(received[0]).toMatchObject({
    method: "DELETE",
    url: "/api/platform/v1/organizations/org%2F1/meetings/demo%204711",
    headers: { authorization: `Bearer ${key}` },
  });
});

test("erase sends the person, and erasure retrieves the request", async () => {
  const { organization, received } = await startPlatformClient();
  await organization.erase({ email: "ada@example.com" });
  await organization.erasure("e 1");
  expect(received).toMatchObject([
    {
      method: "POST",
      url: "/api/platform/v1/organizations/org%2F1/erasures",
      body: { email: "ada@example.com" },
    },
    { method: "GET", url: "/api/platform/v1/organizations/org%2F1/erasures/e%201" },
  ]);
});

test("batch sends the items", async () => {
  const { organization, received } = await startPlatformClient();
  const items = [{ type: "lead" as const, external_id: "crm-4711", attributes: lead }];
  await organization.batch(items);
  expect(received[0]).toMatchObject({
    method: "POST",
    url: "/api/platform/v1/organizations/org%2F1/batch",
    body: { items },
  });
  expect(received[0]?.headers["idempotency-key"]).toBeUndefined();
});

test("createConsoleLink sends the role", async () => {
  const { organization, received } = await startPlatformClient();
  await organization.createConsoleLink({ role: "member", external_id: "user-4711" });
  expect(received[0]).toMatchObject({
    method: "POST",
    url: "/api/platform/v1/organizations/org%2F1/console-links",
    headers: { authorization: `Bearer ${key}` },
    body: { role: "member", external_id: "user-4711" },
  });
});

test.each<[string, TestResponse]>([
  ["429", errorResponse(429, "rate_limit_exceeded", { "retry-after": "0" })],
  ["503", errorResponse(503, "server_error")],
  ["a broken connection", { fault: "disconnect" }],
])("upsert and batch are retried after %s, because they are idempotent", async (_, failure) => {
  const { organization, received } = await startPlatformClient(
    inSequence(failure, dataResponse({ id: "a" })),
  );
  await organization.upsert("leads", "crm-4711", lead);
  expect(received.map(({ method }) => method)).toEqual(["PUT", "PUT"]);

  const other = await startPlatformClient(inSequence(failure, dataResponse([])));
  await other.organization.batch([]);
  expect(other.received.map(({ method }) => method)).toEqual(["POST", "POST"]);

  const raw = await startPlatformClient(inSequence(failure, dataResponse([])));
  const params = { path: { organization_id: "o" } };
  const path = "/api/platform/v1/organizations/{organization_id}/batch";
  await rawClient(raw.platform).POST(path, { params, body: { items: [] } });
  expect(raw.received.map(({ method }) => method)).toEqual(["POST", "POST"]);
});

test("does not retry a POST outside the Platform API", async () => {
  const { platform, received } = await startPlatformClient(() => errorResponse(503, "server_error"));
  const { response } = await rawClient(platform).POST("/api/v1/tickets", { body: { subject: "Help" } });
  expect(response.status).toBe(503);
  expect(received).toHaveLength(1);
});

test("sends the platform key only to the Platform API", async () => {
  const { platform, received } = await startPlatformClient();
  await rawClient(platform).GET("/api/v1/me");
  expect(received[0]?.headers.authorization).toBeUndefined();
});

test("throws a TypeError for an empty key or an invalid ID", async () => {
  expect(() => new ParleyPlatform({ baseUrl: "http://localhost", platformKey: "" })).toThrow(TypeError);
  const { organization, platform } = await startPlatformClient();
  expect(() => organization.upsert("leads", "..", lead)).toThrow(TypeError);
  expect(() => platform.organization("").batch([])).toThrow(TypeError);
});
