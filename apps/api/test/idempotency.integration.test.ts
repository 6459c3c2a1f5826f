import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { useApi } from "../src/testing/api-server.ts";
import { createTenant, issueToken, type Tenant } from "../src/testing/factories.ts";

const api = useApi();
let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant(api.db);
});

async function post(path: string, body: object, key: string, caller = tenant) {
  const response = await api.fetch(`${api.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${caller.token}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return {
    status,
    location: headers.get("location"),
    replayed: headers.get("idempotent-replayed"),
    body: (await response.json()) as { data: { id: string }; error_description?: string },
  };
}
const leads = () => api.db.lead.count({ where: { organizationId: tenant.organizationId } });
const events = () => api.db.event.count({ where: { organizationId: tenant.organizationId } });
const lead = (name = "Ada") => ({ chatbot_id: tenant.chatbotId, contact: { name } });

describe("Idempotency-Key", () => {
  test("returns the first response again and changes nothing", async () => {
    const key = randomUUID();
    const first = await post("/api/v1/leads", lead(), key);
    expect(first).toMatchObject({ status: 201, replayed: null });
    const again = await post("/api/v1/leads", lead(), key);
    expect(again).toEqual({ ...first, replayed: "true" });
    expect([await leads(), await events()]).toEqual([1, 1]);
  });

  test("makes the change once for concurrent requests, which get the same response", async () => {
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 10 }, () => post("/api/v1/leads", lead(), key)));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(responses.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect([await leads(), await events()]).toEqual([1, 1]);
  });

  test("is rejected with another body or path", async () => {
    const key = randomUUID();
    await post("/api/v1/leads", lead(), key);
    for (const other of [
      await post("/api/v1/leads", lead("Ben"), key),
      await post("/api/v1/conversations", { chatbot_id: tenant.chatbotId }, key),
    ]) {
      expect(other.status).toBe(400);
      expect(other.body.error_description).toContain("The Idempotency-Key was used for a different request");
    }
    expect(await leads()).toBe(1);
  });

  test("can be used by each organization", async () => {
    const key = randomUUID();
    const stranger = await createTenant(api.db);
    await post("/api/v1/leads", lead(), key);
    const other = { chatbot_id: stranger.chatbotId, contact: {} };
    expect(await post("/api/v1/leads", other, key, stranger)).toMatchObject({ status: 201, replayed: null });
  });

  test("can be used by each app, which never gets the response of another", async () => {
    await api.db.oAuthClient.create({
      data: { id: "other-app", name: "Other", organizationId: tenant.organizationId },
    });
    const { token, grantId } = await issueToken(api.db, tenant);
    await api.db.oAuthGrant.update({ where: { id: grantId }, data: { clientId: "other-app" } });
    const other = { ...tenant, token };
    const key = randomUUID();
    const wanted = { target_url: "https://hooks.example.com/", event_types: ["*"] };
    const [mine, theirs] = [
      await post("/api/v1/webhooks/subscribe", wanted, key),
      await post("/api/v1/webhooks/subscribe", wanted, key, other),
    ];
    expect([mine.status, theirs.status, theirs.replayed]).toEqual([201, 201, null]);
    expect(theirs.body.data).not.toEqual(mine.body.data);
  });

  test("can be used again after its request was rejected", async () => {
    const key = randomUUID();
    const wrong = { chatbot_id: randomUUID(), contact: {} };
    expect((await post("/api/v1/leads", wrong, key)).status).toBe(400);
    expect(await post("/api/v1/leads", lead(), key)).toMatchObject({ status: 201, replayed: null });
  });

  test("can be used again after 24 hours", async () => {
    const key = randomUUID();
    const first = await post("/api/v1/leads", lead(), key);
    await api.db.idempotencyKey.updateMany({ data: { createdAt: new Date(Date.now() - 86_400_001) } });
    const later = await post("/api/v1/leads", lead("Ben"), key);
    expect(later).toMatchObject({ status: 201, replayed: null });
    expect(later.body.data.id).not.toBe(first.body.data.id);
  });

  test("returns a subscription's secret again, and stores it encrypted", async () => {
    const key = randomUUID();
    const body = { target_url: "https://hooks.example.com/", event_types: ["lead.created"] };
    const first = await post("/api/v1/webhooks/subscribe", body, key);
    const { secret } = first.body.data as unknown as { secret: string };
    expect((await post("/api/v1/webhooks/subscribe", body, key)).body).toEqual(first.body);
    const [row] = await api.db.idempotencyKey.findMany({ where: { organizationId: tenant.organizationId } });
    expect(Buffer.from(row?.response ?? []).includes(secret)).toBe(false);
  });

  test.each([
    ["if it contains a space", "a b"],
    ["if it is too long", "x".repeat(256)],
  ])("is rejected %s", async (_name, key) => {
    const response = await post("/api/v1/leads", lead(), key);
    expect(response.status).toBe(400);
    expect(response.body.error_description).toContain("headers/idempotency-key must");
    expect(await leads()).toBe(0);
  });
});
