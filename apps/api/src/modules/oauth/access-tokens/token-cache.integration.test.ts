import { hashToken, startListener } from "@parley/database";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { as, startApi, type TestApi } from "../../../testing/api-server.ts";
import { createTenant, type Tenant } from "../../../testing/factories.ts";
import { form } from "../testing/fixture.ts";

/** Two API processes with the same database. */
let one: TestApi;
let two: TestApi;
let tenant: Tenant;
const me = (api: TestApi, caller = tenant) => as(api, caller)("GET", "/api/v1/me");

beforeAll(async () => {
  one = await startApi();
  two = await startApi({ DATABASE_URL: one.databaseUrl });
});
afterAll(async () => {
  await two.close();
  await one.close();
});
beforeEach(async () => {
  await vi.waitUntil(() => bothUseCache(true), { timeout: 30_000, interval: 100 });
  tenant = await createTenant(one.db, { plan: "pro" });
  for (const api of [one, two]) await me(api);
});

/**
 * Changes a plan with triggers disabled: a process that still responds 200 used its cache. The tenant is new each time, because
 * the processes are never notified of this change.
 */
async function bothUseCache(expected: boolean): Promise<boolean> {
  const probe = await createTenant(one.db, { plan: "pro" });
  for (const api of [one, two]) await me(api, probe);
  await one.db.$transaction([
    one.db.$executeRaw`SET LOCAL session_replication_role = replica`,
    one.db.$executeRaw`UPDATE organizations SET plan = 'free' WHERE id = ${probe.organizationId}::uuid`,
  ]);
  const statuses = [(await me(one, probe)).status, (await me(two, probe)).status];
  return statuses.every((status) => status === (expected ? 200 : 403));
}

/** Checks whether both respond with a status before cached callers expire, which takes a minute. */
async function bothAnswer(status: number): Promise<boolean> {
  for (const api of [one, two]) {
    await vi.waitUntil(async () => (await me(api)).status === status, { timeout: 30_000 });
  }
  return true;
}

test.each(["", "null", "{}", "grant", "grant 1", "token xyz", "organization '; DROP TABLE users"])(
  "drops the malformed notification %j and handles the next",
  async (payload) => {
    await one.db.$executeRaw`SELECT pg_notify('parley_token_cache', ${payload})`;
    expect(await bothUseCache(true)).toBe(true);
    await one.db.oAuthGrant.update({ where: { id: tenant.grantId }, data: { revokedAt: new Date() } });
    expect(await bothAnswer(401)).toBe(true);
  },
);

describe("both processes invalidate a cached caller when", () => {
  const db = () => one.db;
  const organization = () => ({ where: { id: tenant.organizationId } });

  test.each<[string, () => Promise<unknown>, number]>([
    [
      "the grant is revoked",
      () => db().oAuthGrant.update({ where: { id: tenant.grantId }, data: { revokedAt: new Date() } }),
      401,
    ],
    [
      "the token is deleted",
      () => db().oAuthToken.delete({ where: { tokenHash: hashToken(tenant.token) } }),
      401,
    ],
    ["the user is deleted", () => db().user.delete({ where: { id: tenant.userId } }), 401],
    ["the organization is deleted", () => db().organization.delete(organization()), 401],
    [
      "the plan changes to free",
      () => db().organization.update({ ...organization(), data: { plan: "free" } }),
      403,
    ],
    [
      "the token ends early",
      () =>
        db().oAuthToken.update({
          where: { tokenHash: hashToken(tenant.token) },
          data: { expiresAt: new Date() },
        }),
      401,
    ],
  ])("%s", async (_name, change, status) => {
    await change();
    expect(await bothAnswer(status)).toBe(true);
  });

  test("the app is deleted", async () => {
    const id = `doomed-${tenant.userId}`;
    await one.db.oAuthClient.create({ data: { id, name: "Doomed" } });
    await one.db.oAuthGrant.update({ where: { id: tenant.grantId }, data: { clientId: id } });
    expect(await bothAnswer(200)).toBe(true);
    await one.db.oAuthClient.delete({ where: { id } });
    expect(await bothAnswer(401)).toBe(true);
  });

  test("the client revokes a token at one of them", async () => {
    const client_secret = "a secret of this test";
    const secrets = { create: { secretHash: hashToken(client_secret) } };
    const client_id = `revoking-${tenant.userId}`;
    await one.db.oAuthClient.create({ data: { id: client_id, name: "Revoking", secrets } });
    await one.db.oAuthGrant.update({ where: { id: tenant.grantId }, data: { clientId: client_id } });
    expect(await bothAnswer(200)).toBe(true);
    const request = form({ token: tenant.token, client_id, client_secret });
    expect((await one.fetch(`${one.url}/api/oauth/revoke`, request)).status).toBe(200);
    expect(await bothAnswer(401)).toBe(true);
  });
});

describe("any number of grants revoked at the same time causes one notification", () => {
  const appIds = ["crowded-1", "crowded-2"];
  const payloads: string[] = [];
  let listener: ReturnType<typeof startListener>;
  beforeAll(async () => {
    await new Promise<void>((opened) => {
      const events = { opened, lost: () => undefined, notified: (what: string) => payloads.push(what) };
      listener = startListener(one.databaseUrl, "parley_token_cache", events);
    });
  });
  afterAll(() => listener.stop());

  /** Two users of one organization, each with two grants of both apps, each grant with a token in use. */
  async function crowd() {
    const { organizationId, userId: first } = tenant;
    const other = { organizationId, name: "Otto", email: `${first}@example.com`, passwordHash: "none" };
    const { id: second } = await one.db.user.create({ data: other });
    const scopes: string[] = [];
    for (const [index, userId] of [first, first, second, second].entries()) {
      for (const clientId of appIds) {
        const tokenHash = hashToken(`${first} ${index} ${clientId}`);
        const token = { tokenHash, kind: "access", scopes, expiresAt: new Date(Date.now() + 60_000) };
        const tokens = { create: token };
        await one.db.oAuthGrant.create({ data: { organizationId, userId, clientId, scopes, tokens } });
      }
    }
    return { organizationId, first, second };
  }
  type Crowd = Awaited<ReturnType<typeof crowd>>;
  const revokedAt = new Date();

  test.each<[string, (crowd: Crowd) => Promise<unknown>, (crowd: Crowd) => string]>([
    [
      "those of a user by revocation",
      ({ second: userId }) => one.db.oAuthGrant.updateMany({ where: { userId }, data: { revokedAt } }),
      ({ second }) => `user ${second}`,
    ],
    [
      "those of a user by deletion",
      ({ second: id }) => one.db.user.delete({ where: { id } }),
      ({ second }) => `user ${second}`,
    ],
    [
      "those of an app in one organization",
      ({ organizationId }) =>
        one.db.oAuthGrant.updateMany({
          where: { organizationId, clientId: "crowded-1" },
          data: { revokedAt },
        }),
      () => "client crowded-1",
    ],
    [
      "those of an organization",
      ({ organizationId }) =>
        one.db.oAuthGrant.updateMany({ where: { organizationId }, data: { revokedAt } }),
      ({ organizationId }) => `organization ${organizationId}`,
    ],
    [
      "those of an app by deletion",
      () => one.db.oAuthClient.delete({ where: { id: "crowded-2" } }),
      () => "client crowded-2",
    ],
    [
      "all",
      () => one.db.oAuthGrant.updateMany({ where: { revokedAt: null }, data: { revokedAt } }),
      () => "everything",
    ],
  ])("%s", async (_which, end, payload) => {
    await one.db.oAuthClient.createMany({
      data: appIds.map((id) => ({ id, name: id })),
      skipDuplicates: true,
    });
    const found = await crowd();
    payloads.length = 0;
    await end(found);
    await one.db.$executeRaw`SELECT pg_notify('parley_token_cache', 'the end')`;
    await vi.waitUntil(() => payloads.includes("the end"), { timeout: 30_000 });
    expect(payloads).toEqual([payload(found), "the end"]);
  });
});

test("a changed plan's rate limit applies in both within seconds", async () => {
  await one.db.organization.update({ where: { id: tenant.organizationId }, data: { plan: "business" } });
  for (const api of [one, two]) {
    const limit = async () => (await me(api)).headers.get("x-ratelimit-limit");
    await vi.waitFor(async () => expect(await limit()).toBe("1000"), { timeout: 30_000 });
  }
});

test("nothing is cached while the notification connection is lost, and afterwards it is", async () => {
  async function cutOff(): Promise<void> {
    await one.db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query IN ('SELECT 1', 'SELECT pg_notify($1, $2)')`;
  }
  const forgot = () => cutOff().then(() => bothUseCache(false));
  expect(await vi.waitUntil(forgot, { timeout: 30_000, interval: 10 })).toBe(true);
  expect(await vi.waitUntil(() => bothUseCache(true), { timeout: 30_000, interval: 100 })).toBe(true);
});

test("the grant shows when it was last used, to the minute, written once a minute", async () => {
  const grant = () => one.db.oAuthGrant.findUniqueOrThrow({ where: { id: tenant.grantId } });
  const written = await vi.waitFor(
    async () => {
      const { lastUsedAt: at } = await grant();
      expect(at).not.toBeNull();
      return at as Date;
    },
    { timeout: 30_000 },
  );
  const { createdAt } = await grant();
  const minute = Math.floor(written.getTime() / 60_000) * 60_000;
  expect(written.getTime()).toBe(Math.max(minute, createdAt.getTime()));
  expect(Date.now() - written.getTime()).toBeLessThan(120_000);
});
