import type { Schemas } from "@parley/contract";
import { expect, test, vi } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const api = useApi();

const path = "/api/v1/webhooks";

async function subscribe(tenant: Tenant): Promise<string> {
  const wanted = { target_url: "https://hooks.example.com/", event_types: ["*"] };
  const response = await as(api, tenant)("POST", `${path}/subscribe`, wanted);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

/** Changes the role of the user, and waits until the API notices it. */
async function changeRole(tenant: Tenant, role: "admin" | "member"): Promise<void> {
  await api.db.user.update({ where: { id: tenant.userId }, data: { role } });
  const response = () => as(api, tenant)("GET", "/api/v1/me");
  const isAllowed = async () =>
    ((await (await response()).json()) as Schemas["OrganizationResponse"]).data.attributes.scopes.includes(
      "webhooks:manage",
    );
  await vi.waitFor(async () => expect(await isAllowed()).toBe(role === "admin"), { timeout: 30_000 });
}

test("a user who is no admin any more manages no webhooks, and gets the access back with the role", async () => {
  const tenant = await createTenant(api.db);
  const id = await subscribe(tenant);
  await changeRole(tenant, "member");
  for (const [method, action] of [
    ["POST", "/subscribe"],
    ["GET", `/${id}`],
    ["PATCH", `/${id}`],
    ["POST", `/${id}/rotate-secret`],
    ["POST", `/${id}/test`],
    ["GET", `/${id}/deliveries`],
  ] as const) {
    const response = await as(api, tenant)(method, path + action, method === "GET" ? undefined : {});
    expect([action, response.status, await response.json()]).toEqual([
      action,
      403,
      {
        error: "insufficient_scope",
        error_description:
          "The role of the user does not allow webhooks:manage any more. An admin of the organization can connect the app.",
      },
    ]);
  }
  expect((await as(api, tenant)("GET", "/api/v1/events")).status).toBe(403);
  expect((await as(api, tenant)("GET", "/api/v1/leads")).status).toBe(200);
  await changeRole(tenant, "admin");
  expect((await as(api, tenant)("GET", `${path}/${id}`)).status).toBe(200);
});

test("an app still lists and deletes the webhooks that it created for this user, and no others", async () => {
  const tenant = await createTenant(api.db);
  const [own, second] = [await subscribe(tenant), await subscribe(tenant)];
  const { id: otherUser } = await api.db.user.create({
    data: {
      organizationId: tenant.organizationId,
      email: `${own}@example.com`,
      name: "Ole",
      passwordHash: "none",
    },
  });
  await api.db.subscription.update({ where: { id: second }, data: { userId: otherUser } });
  await changeRole(tenant, "member");
  const list = async () =>
    ((await (await as(api, tenant)("GET", path)).json()) as { data: { id: string }[] }).data.map(
      ({ id }) => id,
    );
  expect(await list()).toEqual([own]);
  expect((await as(api, tenant)("DELETE", `${path}/${second}`)).status).toBe(404);
  expect((await as(api, tenant)("DELETE", `${path}/${own}`)).status).toBe(200);
  expect(await list()).toEqual([]);
  expect(await api.db.subscription.count({ where: { id: second } })).toBe(1);
});

test("a token without the scope may not list the webhooks of its app", async () => {
  const tenant = await createTenant(api.db, { scopes: ["leads:read"] });
  await api.db.user.update({ where: { id: tenant.userId }, data: { role: "member" } });
  expect((await as(api, tenant)("GET", path)).status).toBe(403);
});
