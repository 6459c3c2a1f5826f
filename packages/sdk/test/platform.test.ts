import { expect, test } from "vitest";
import { ParleyPlatform, rawClient } from "../src/index.ts";
import { one } from "./support/replies.ts";
import { startServer } from "./support/server.ts";

const key = "parley_pk_0";
const lead = { chatbot_external_id: "sales-bot", score: 82 };

async function startPlatform() {
  const server = await startServer(() => one({ id: "a" }));
  const platform = new ParleyPlatform({ baseUrl: server.baseUrl, platformKey: key });
  return { ...server, platform, organization: platform.organization("org/1") };
}

test("a record goes to its own address, with the key and an idempotency key", async () => {
  const { organization, received } = await startPlatform();
  expect(await organization.upsert("leads", "crm 4711", lead)).toEqual(one({ id: "a" }).body);
  expect(received[0]).toMatchObject({
    method: "PUT",
    url: "/api/platform/v1/organizations/org%2F1/leads/crm%204711",
    headers: { authorization: `Bearer ${key}`, "idempotency-key": expect.any(String) },
    body: lead,
  });
  await organization.upsert(
    "message-feedback",
    "f1",
    { message_external_id: "m1", rating: "negative" },
    { idempotencyKey: "mine" },
  );
  expect(received[1]?.headers["idempotency-key"]).toBe("mine");
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
