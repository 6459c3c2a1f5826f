import type { AuditEntry } from "@parley/database";
import { beforeAll, expect, test } from "vitest";
import { as, useApi } from "../../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../../src/testing/factories.ts";

const api = useApi();
let tenant: Tenant;
let call: ReturnType<typeof as>;
beforeAll(async () => {
  tenant = await createTenant(api.db, { plan: "business" });
  call = as(api, tenant);
});

async function take<Data>(method: string, path: string, body?: unknown): Promise<Data> {
  const response = await call(method, path, body);
  expect([method, path, response.ok]).toEqual([method, path, true]);
  return ((await response.json()) as { data: Data }).data;
}

/** Returns the entries that a request adds. */
async function entriesOf(work: () => Promise<unknown>): Promise<AuditEntry[]> {
  const where = { organizationId: tenant.organizationId };
  const before = await api.db.auditEntry.count({ where });
  await work();
  return api.db.auditEntry.findMany({ where, orderBy: { id: "asc" }, skip: before });
}

const secretUrl = "https://user:hunter2@hooks.example.com/hunter2?token=hunter2";
const url = "https://hooks.example.com:8443/services/hunter2?token=hunter2";

test("records every change of a webhook with its author, and without credentials", async () => {
  const { id, secret } = await take<{ id: string; secret: string }>("POST", "/api/v1/webhooks/subscribe", {
    target_url: url,
    event_types: ["lead.created"],
    headers: { authorization: "hunter2" },
    public_key_signature: true,
  });
  const path = `/api/v1/webhooks/${id}`;
  await api.db.subscription.update({ where: { id }, data: { status: "failed", failureCount: 5 } });
  const { id: keyId } = await take<{ id: string }>("POST", "/api/v1/webhooks/signing-keys/rotate", {});
  await take("POST", `${path}/rotate-secret`, { immediately: true });
  await take("POST", `${path}/resume`, {});
  await take("PATCH", path, {
    target_url: "https://other.example.com/hunter2",
    headers: { authorization: "hunter2 again" },
    filters: {},
    rate_limit: null,
  });
  await take("PATCH", path, { event_types: ["lead.created", "lead.updated"], rate_limit: 5 });
  await take("DELETE", path);

  const entries = await api.db.auditEntry.findMany({
    where: { organizationId: tenant.organizationId },
    orderBy: { id: "asc" },
  });
  const about = { webhook_id: id, host: "hooks.example.com:8443" };
  const moved = { webhook_id: id, host: "other.example.com" };
  expect(entries.map(({ event, details }) => [event, details])).toEqual([
    ["webhook.created", { ...about, event_types: ["lead.created"] }],
    ["signing_key.rotated", { key_id: keyId, immediately: false }],
    ["webhook.secret_rotated", { ...about, immediately: true }],
    ["webhook.resumed", { ...about, fill_gap: false }],
    [
      "webhook.updated",
      { ...moved, fields: ["target_url", "headers"], previous_host: "hooks.example.com:8443" },
    ],
    ["webhook.updated", { ...moved, fields: ["event_types", "rate_limit"] }],
    ["webhook.deleted", moved],
  ]);
  const { userId, clientId, grantId } = await api.db.oAuthGrant
    .findFirstOrThrow({
      where: { organizationId: tenant.organizationId },
    })
    .then(({ id: grantId, ...grant }) => ({ ...grant, grantId }));
  for (const entry of entries) {
    expect(entry).toMatchObject({ userId, clientId, grantId, address: "127.0.0.1" });
  }
  const text = JSON.stringify(entries);
  expect(text).not.toContain("hunter2");
  expect(text).not.toContain(secret);
});

test("records nothing if nothing changes, or if the change fails", async () => {
  const fields = { target_url: url, event_types: ["lead.created"] };
  const { id } = await take<{ id: string }>("POST", "/api/v1/webhooks/subscribe", fields);
  const path = `/api/v1/webhooks/${id}`;
  expect(await entriesOf(() => take("PATCH", path, fields))).toEqual([]);
  expect(await entriesOf(() => take("POST", `${path}/resume`, {}))).toEqual([]);
  expect(
    await entriesOf(async () => {
      expect((await call("PATCH", path, { target_url: secretUrl })).status).toBe(400);
      expect((await call("DELETE", "/api/v1/webhooks/0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b")).status).toBe(
        404,
      );
      expect((await call("POST", "/api/v1/webhooks/subscribe", { ...fields, target_url: "x" })).status).toBe(
        400,
      );
    }),
  ).toEqual([]);
});
