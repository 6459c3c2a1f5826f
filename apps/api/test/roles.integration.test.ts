import type { Schemas } from "@parley/contract";
import { expect, test, vi } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant, issueToken, type Tenant } from "../src/testing/factories.ts";

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

test("who changes the URL of a webhook is shown as its creator, and finds it when the access is revoked", async () => {
  const tenant = await createTenant(api.db);
  const id = await subscribe(tenant);
  await api.db.oAuthClient.create({
    data: { id: "second-app", name: "Second", organizationId: tenant.organizationId },
  });
  const { token, grantId } = await issueToken(api.db, tenant);
  await api.db.oAuthGrant.update({ where: { id: grantId }, data: { clientId: "second-app" } });
  const change = (body: object) => as(api, { token })("PATCH", `${path}/${id}`, body);
  const clientOf = async (response: Response) =>
    ((await response.json()) as Schemas["SubscriptionResponse"]).data.created_by?.client?.id;
  expect(await clientOf(await change({ event_types: ["lead.created"] }))).toBe("test-client");
  expect(await clientOf(await change({ target_url: "https://other.example.com/" }))).toBe("second-app");
});

test("a request that was authenticated before a revocation does not change webhooks after it", async () => {
  const tenant = await createTenant(api.db);
  const id = await subscribe(tenant);
  const locked = Promise.withResolvers<void>();
  const revoke = Promise.withResolvers<void>();
  const revoking = api.db.$transaction(
    async (tx) => {
      await tx.oAuthGrant.update({ where: { id: tenant.grantId }, data: { revokedAt: new Date() } });
      locked.resolve();
      await revoke.promise;
    },
    { timeout: 60_000 },
  );
  await locked.promise;
  const responses = [
    as(api, tenant)("PATCH", `${path}/${id}`, { enabled: true }),
    as(api, tenant)("POST", `${path}/${id}/resume`, {}),
    as(api, tenant)("POST", `${path}/subscribe`, {
      target_url: "https://hooks.example.com/",
      event_types: ["*"],
    }),
  ];
  await vi.waitFor(
    async () => {
      const [row] = await api.db.$queryRaw<{ waiting: number }[]>`
        SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(row?.waiting).toBeGreaterThanOrEqual(2);
    },
    { timeout: 20_000 },
  );
  revoke.resolve();
  await revoking;
  for (const response of await Promise.all(responses)) expect(response.status).toBe(403);
  expect(await api.db.subscription.count({ where: { organizationId: tenant.organizationId } })).toBe(1);
});
