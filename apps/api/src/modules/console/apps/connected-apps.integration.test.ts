import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBrowser } from "../../oauth/testing/browser.ts";
import { client, locationOf, secondClient } from "../../oauth/testing/fixture.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const day = (text: string) => new Date(`${text}T12:00:00Z`);

test("shows each app once, with all its scopes, the start of its access and its last use", async () => {
  const person = await fixture.person("member");
  await fixture.connect(person, client.client_id, ["webhooks:manage", "leads:read"], {
    createdAt: day("2026-03-01"),
    lastUsedAt: day("2026-03-09"),
  });
  await fixture.connect(person, client.client_id, ["leads:read", "leads:write"], {
    createdAt: day("2026-03-05"),
    lastUsedAt: day("2026-03-07"),
  });
  const page = await (await (await fixture.signIn(person, fixture.apps)).get(fixture.apps)).text();
  expect(page.match(/<h2/g)).toHaveLength(1);
  expect(page).toContain("App &lt;b&gt;protocol-client&lt;/b&gt;");
  expect(page).toContain("1 March 2026</time>");
  expect(page).toContain("9 March 2026 at 12:00 UTC</time>");
  expect(page.match(/<li>.*?<\/li>/g)).toEqual([
    "<li>Read qualification leads</li>",
    "<li>Create and update leads</li>",
    "<li>Create and manage webhooks</li>",
  ]);
});

test("hides inactive grants and grants of other users", async () => {
  const [person, colleague] = [await fixture.person("member"), await fixture.person("member")];
  await fixture.connect(colleague, client.client_id, ["leads:read"]);
  await fixture.connect(person, client.client_id, ["leads:read"], { expiresAt: new Date(Date.now() - 1) });
  const revoked = await fixture.connect(person, secondClient.client_id, ["leads:read"]);
  await fixture.db.oAuthGrant.update({ where: { id: revoked }, data: { revokedAt: new Date() } });
  const page = await (await (await fixture.signIn(person)).get(fixture.apps)).text();
  expect(page).toContain("No app has access to your account.");
});

test("revokes only the user's grants to that app, and confirms it once", async () => {
  const [person, colleague] = [await fixture.person("member"), await fixture.person("member")];
  const mine = [
    await fixture.connect(person, client.client_id, ["leads:read"]),
    await fixture.connect(person, client.client_id, ["leads:read"]),
  ];
  const kept = [
    await fixture.connect(person, secondClient.client_id, ["leads:read"]),
    await fixture.connect(colleague, client.client_id, ["leads:read"]),
  ];
  const browser = await fixture.signIn(person);
  const response = await browser.press("revoke", fixture.apps, { client_id: client.client_id });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/console/apps"]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const page = await (await browser.get(fixture.apps)).text();
  expect(page).toContain('role="status">App &lt;b&gt;protocol-client&lt;/b&gt; no longer has access.');
  expect(await (await browser.get(fixture.apps)).text()).not.toContain("no longer has access");

  const inForce = await fixture.db.oAuthGrant.findMany({
    where: { id: { in: [...mine, ...kept] }, revokedAt: null },
  });
  expect(inForce.map(({ id }) => id).sort()).toEqual(kept.sort());
  const [{ transactions } = {}] = await fixture.db.$queryRaw<{ transactions?: number }[]>`
    SELECT count(DISTINCT xmin::text)::int AS transactions FROM oauth_grants WHERE id = ANY(${mine}::uuid[])`;
  expect(transactions).toBe(1);
  const log = await fixture.db.auditEntry.findMany({
    where: { event: "grant.revoked", userId: person.userId },
  });
  expect(log).toHaveLength(2);
  expect(log[0]).toMatchObject({ address: "127.0.0.1", details: { reason: "user_request" } });
});

test.each(["unknown client_id", ""])("revoking %j changes nothing", async (clientId) => {
  const browser = await fixture.signIn(await fixture.person());
  const response = await browser.press("revoke", fixture.apps, { client_id: clientId });
  expect(response.status).toBe(303);
  expect(await (await browser.get(fixture.apps)).text()).not.toContain('role="status"');
});

test.each<[choice: "disable" | "keep", enabled: boolean]>([
  ["disable", false],
  ["keep", true],
])("lists the webhooks that the app created for the user, and can %s them", async (choice, enabled) => {
  const person = await fixture.person();
  await fixture.connect(person, client.client_id, ["webhooks:manage"]);
  const create = (path: string, clientId: string | null) =>
    fixture.db.subscription.create({
      data: {
        ...{ organizationId: person.organizationId, userId: person.userId, clientId },
        ...{ targetUrl: `https://hooks.example.com/${path}`, eventTypes: ["*"], secret: Buffer.alloc(1) },
        queue: { create: {} },
      },
    });
  const [created] = [
    await create("app", client.client_id),
    await create("console", null),
    await create("other", secondClient.client_id),
  ];
  const browser = await fixture.signIn(person);
  const page = await (await browser.get(fixture.apps)).text();
  expect(page).toContain("https://hooks.example.com/app");
  expect(page).not.toMatch(/hooks\.example\.com\/(?:console|other)/);
  expect(page).toMatch(/value="disable"[^>]* checked/);
  await browser.press("revoke", fixture.apps, { client_id: client.client_id, webhooks: choice });
  const rows = await fixture.db.subscription.findMany({ where: { organizationId: person.organizationId } });
  expect(Object.fromEntries(rows.map((row) => [row.targetUrl.split("/").at(-1), row.enabled]))).toEqual({
    app: enabled,
    console: true,
    other: true,
  });
  const audited = await fixture.db.auditEntry.findMany({
    where: { event: "webhook.updated", userId: person.userId },
  });
  expect(audited.map(({ details }) => details)).toEqual(
    enabled ? [] : [{ webhook_id: created.id, host: "hooks.example.com", fields: ["enabled"] }],
  );
});

test("an access token stops working", async () => {
  const tokens = await fixture.tokens();
  expect(await fixture.statusOf(tokens.access_token)).toBe(200);
  const browser = await fixture.signIn({ email: fixture.email, userId: fixture.userId, organizationId: "" });
  await browser.press("revoke", fixture.apps, { client_id: client.client_id });
  await fixture.refused(tokens.access_token);
});

test("signs in and out on the page itself", async () => {
  const person = await fixture.person("member");
  const browser = new TestBrowser(fixture.fetch);
  const wrong = await browser.press("sign_in", fixture.apps, { email: person.email, password: "wrong" });
  expect(locationOf(wrong).pathname).toBe("/console/apps");
  const page = await (await browser.get(fixture.apps)).text();
  expect(page).toContain("Email or password is wrong.");
  expect(page).toContain("to open the console");
  const signedIn = await fixture.signIn(person, fixture.apps);
  expect(await (await signedIn.get(fixture.apps)).text()).toContain("<h1>Connected apps</h1>");
  // The same session counts on the authorization page.
  expect(await (await signedIn.get(fixture.page())).text()).toContain("Allow");
  const out = await signedIn.press("sign_out", fixture.apps);
  expect(locationOf(out).pathname).toBe("/console");
  expect(await (await signedIn.get(fixture.apps)).text()).toContain("<h1>Sign in</h1>");
});

test("rejects a form of another browser or without a CSRF token with an explanation", async () => {
  const [person, stranger] = [await fixture.person(), new TestBrowser(fixture.fetch)];
  const id = await fixture.connect(person, client.client_id, ["leads:read"]);
  const browser = await fixture.signIn(person);
  const theirs =
    /name="csrf_token" value="([^"]+)"/.exec(await (await stranger.get(fixture.apps)).text())?.[1] ?? "";
  for (const csrf_token of [theirs, "", "x"]) {
    const form = { csrf_token, action: "revoke", client_id: client.client_id };
    const response = await browser.post(fixture.apps, form);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('<a href="/console/apps">Back to the page</a>');
  }
  expect((await fixture.db.oAuthGrant.findUniqueOrThrow({ where: { id } })).revokedAt).toBeNull();
});

test("never redirects to another site", async () => {
  for (const path of ["//evil.example/console/apps", "/console/apps/", "/console//apps"]) {
    expect((await fetch(`${fixture.url}${path}`)).status).toBe(404);
  }
  const browser = new TestBrowser(fixture.fetch);
  const { email } = await fixture.person();
  const signIn = async (fields: Record<string, string>) => {
    const response = await browser.press("sign_in", fixture.apps, { email, password: "wrong", ...fields });
    return response.headers.get("location");
  };
  expect(await signIn({})).toBe("/console/apps");
  expect(await signIn({ return_to: "/console/deliveries?status=pending#x" })).toBe(
    "/console/deliveries?status=pending",
  );
  for (const return_to of [
    "https://evil.example/console",
    "//evil.example/console",
    "/\\evil.example/console",
    "/console/..//evil.example",
    "/consoles",
    "javascript:alert(1)",
    "/console/session",
    "",
  ]) {
    expect(await signIn({ return_to })).toBe("/console");
  }
});

test("sends the security headers of pages", async () => {
  const { headers } = await (await fixture.signIn(await fixture.person())).get(fixture.apps);
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("same-origin");
});
