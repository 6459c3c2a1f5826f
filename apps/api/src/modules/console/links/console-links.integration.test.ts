import { hashToken } from "@parley/database";
import { deleteOrganization } from "@parley/database/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asPlatform } from "../../../testing/api-server.ts";
import { TestBrowser } from "../../oauth/testing/browser.ts";
import { createUser, locationOf, password } from "../../oauth/testing/fixture.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";

let fixture: ConsoleFixture;
let organizationId: string;
beforeAll(async () => {
  fixture = await startConsole();
  ({ organizationId } = await createUser(fixture.db));
});
afterAll(() => fixture.close());

const ada = { role: "admin", name: "Ada <Novak>", external_id: "user-4711" };
const platformUser = { platform_user: { name: "Ada <Novak>", external_id: "user-4711" } };

function post(body: object, organization = organizationId): Promise<Response> {
  return asPlatform(fixture, organization)("POST", "/console-links", body);
}

async function newLink(body: object = ada, organization = organizationId): Promise<string> {
  const response = await post(body, organization);
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { url: string } }).data.url;
}

const newBrowser = () => new TestBrowser(fixture.fetch);

/** Opens a new link in a new browser. */
async function openedBrowser(body: object = ada, organization = organizationId): Promise<TestBrowser> {
  const browser = newBrowser();
  expect((await browser.get(await newLink(body, organization))).status).toBe(303);
  return browser;
}

const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
const rowOf = (url: string) =>
  fixture.db.consoleLink.findUniqueOrThrow({ where: { tokenHash: hashToken(tokenOf(url)) } });
const sessionHash = (browser: TestBrowser) => hashToken(browser.cookies.get("parley_session") ?? "");
const sessionOf = (browser: TestBrowser) =>
  fixture.db.userSession.findUnique({ where: { tokenHash: sessionHash(browser) } });
const textOf = async (browser: TestBrowser, url: string) => (await browser.get(url)).text();
const audited = (organization: string) =>
  fixture.db.auditEntry.findMany({ where: { organizationId: organization }, orderBy: { id: "asc" } });

describe("creating a link", () => {
  test("returns its address, of which only the hash of the token is stored", async () => {
    const before = Date.now();
    const response = await post(ada);
    expect([response.status, response.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const { data, meta } = (await response.json()) as {
      data: { url: string; expires_at: string };
      meta: object;
    };
    expect(Object.keys(data)).toEqual(["url", "expires_at", "role"]);
    expect([data, meta]).toMatchObject([{ role: "admin" }, { api_version: "2024-01-01" }]);
    expect(data.url).toMatch(new RegExp(`^${fixture.url}/console/link\\?token=parley_cl_[\\w-]{43}$`));
    const seconds = (Date.parse(data.expires_at) - before) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThan(360);
    expect(await rowOf(data.url)).toMatchObject({
      ...{ organizationId, role: "admin", name: "Ada <Novak>", externalId: "user-4711" },
      ...{ returnTo: "/console", usedAt: null, expiresAt: new Date(data.expires_at) },
    });
    const [rows] = await fixture.db.$queryRaw<{ text: string }[]>`
      SELECT string_agg(t::text, '') AS text FROM (SELECT l::text AS t FROM console_links l UNION ALL SELECT a::text FROM audit_log a) AS all_rows`;
    expect(rows?.text).toContain("user-4711");
    expect(rows?.text).not.toContain(tokenOf(data.url));
    expect(rows?.text).not.toContain(Buffer.from(tokenOf(data.url)).toString("hex"));
  });

  test("uses the defaults for everything except the role", async () => {
    expect(await rowOf(await newLink({ role: "member" }))).toMatchObject({
      ...{ role: "member", name: "Platform user", externalId: null, returnTo: "/console" },
    });
  });

  test.each([
    [30, 30],
    [900, 900],
  ])("expires in %i seconds", async (expires_in, seconds) => {
    const { createdAt, expiresAt } = await rowOf(await newLink({ role: "member", expires_in }));
    // The database has microseconds, so the difference in milliseconds may be one less.
    expect(Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000)).toBe(seconds);
  });

  test.each([
    ["role", {}],
    ["role", { role: "owner" }],
    ["name", { ...ada, name: "" }],
    ["name", { ...ada, name: "x".repeat(101) }],
    ["external_id", { ...ada, external_id: "" }],
    ["external_id", { ...ada, external_id: "x".repeat(201) }],
    ["expires_in", { ...ada, expires_in: 29 }],
    ["expires_in", { ...ada, expires_in: 901 }],
    ["expires_in", { ...ada, expires_in: 60.5 }],
    ["return_to", { ...ada, return_to: "https://evil.example/console" }],
    ["return_to", { ...ada, return_to: "//evil.example/console" }],
    ["return_to", { ...ada, return_to: "/consoles" }],
    ["return_to", { ...ada, return_to: "/docs/" }],
    ["return_to", { ...ada, return_to: "/console/../docs/" }],
    ["return_to", { ...ada, return_to: "/console/%2e%2e/%2e%2e//evil.example" }],
    ["return_to", { ...ada, return_to: "/console/link?token=x" }],
    ["return_to", { ...ada, return_to: "/console/session" }],
    ["return_to", { ...ada, return_to: `/console?${"x".repeat(2048)}` }],
    ["user_id", { ...ada, user_id: "x" }],
  ])("rejects a wrong %s: %j", async (field, body) => {
    const response = await post(body);
    const { error, error_description } = (await response.json()) as Record<string, string>;
    expect([response.status, error]).toEqual([400, "invalid_request"]);
    expect(error_description).toContain(field);
  });
});

describe("opening a link", () => {
  test("starts a session of an hour under a new secret, and redirects to the page without a referrer", async () => {
    const browser = newBrowser();
    await browser.get(fixture.clients); // Sets the cookie of a browser that is not signed in.
    const earlier = browser.cookies.get("parley_session");
    const url = await newLink({ ...ada, return_to: "/console/clients?x=1" });
    const response = await browser.get(url);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/console/clients?x=1"]);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("set-cookie")).toMatch(/; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(browser.cookies.get("parley_session")).not.toBe(earlier);
    const session = await sessionOf(browser);
    expect(session).toMatchObject({
      ...{ userId: null, organizationId, role: "admin", name: "Ada <Novak>", externalId: "user-4711" },
    });
    expect(Number(session?.expiresAt) - Number(session?.createdAt)).toBe(3_600_000);
    const page = await textOf(browser, fixture.clients);
    expect(page).toContain("<bdi>Ada &lt;Novak&gt;</bdi>, <bdi>Umbrella &amp; Sons</bdi>");
  });

  test("works once, and a second visit shows what to do", async () => {
    const url = await newLink();
    const browser = newBrowser();
    expect((await browser.get(url)).status).toBe(303);
    const again = await newBrowser().get(url);
    expect(again.status).toBe(410);
    expect(await again.text()).toContain("Open the console from your platform again.");
    expect(await textOf(browser, fixture.clients)).toContain("Own apps");
  });

  test("works in only one of several browsers at the same time", async () => {
    const url = await newLink();
    const before = await fixture.db.userSession.count();
    const responses = await Promise.all(Array.from({ length: 8 }, () => newBrowser().get(url)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      303,
      ...Array(7).fill(410),
    ]);
    expect(await fixture.db.userSession.count()).toBe(before + 1);
  });

  test("responds the same to a used, an expired and an unknown link, and to none", async () => {
    const [used, expired] = [await newLink(), await newLink()];
    await newBrowser().get(used);
    await fixture.db.consoleLink.update({
      where: { tokenHash: hashToken(tokenOf(expired)) },
      data: { expiresAt: new Date() },
    });
    const address = `${fixture.url}/console/link`;
    const others = [`${address}?token=parley_cl_${"x".repeat(43)}`, `${address}?token=`, address];
    const answers = await Promise.all(
      [used, expired, ...others, `${address}?token=a&token=b`].map(async (url) => {
        const browser = newBrowser();
        const response = await browser.get(url);
        return [response.status, await response.text(), browser.cookies.size];
      }),
    );
    expect(answers[0]).toMatchObject([410, expect.any(String), 0]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test("HEAD does not use the link up", async () => {
    const url = await newLink({ ...ada, return_to: "/console/apps" });
    const head = () => fetch(url, { method: "HEAD", redirect: "manual" });
    for (const response of [await head(), await head()]) {
      expect([response.status, response.headers.get("location")]).toEqual([303, "/console/apps"]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await newBrowser().get(url)).status).toBe(303);
    expect((await head()).status).toBe(410);
  });

  test("ends the earlier session of the browser, but an invalid link does not", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    const earlier = sessionHash(browser);
    await browser.get(`${fixture.url}/console/link?token=unknown`);
    expect(await textOf(browser, fixture.clients)).toContain("Own apps");
    await browser.get(await newLink());
    expect(await fixture.db.userSession.findUnique({ where: { tokenHash: earlier } })).toBeNull();
    expect(await sessionOf(browser)).toMatchObject({ organizationId, userId: null });
    expect((await audited(person.organizationId)).at(-1)).toMatchObject({
      ...{ event: "user.signed_out", userId: person.userId },
    });
  });
});

describe("the session of a link", () => {
  test("belongs to one organization", async () => {
    const other = await fixture.person();
    const app = await fixture.ownClient(other, "App of the other organization");
    const browser = await openedBrowser();
    expect(await textOf(browser, fixture.clients)).not.toContain("App of the other organization");
    expect((await browser.get(`${fixture.clients}/${app.id}`)).status).toBe(404);
    const theirs = await openedBrowser(ada, other.organizationId);
    expect(await textOf(theirs, fixture.clients)).toContain("App of the other organization");
  });

  test("of an admin registers apps, and the audit log names the person", async () => {
    const { organizationId: own } = await createUser(fixture.db);
    const browser = await openedBrowser(ada, own);
    const fields = { name: "Lead export", redirect_uris: "https://app.example.com/", kind: "confidential" };
    const url = `${fixture.url}${(await browser.press("create", fixture.clients, fields)).headers.get("location")}`;
    expect(await textOf(browser, url)).toMatch(/parley_cs_[\w-]{43}/);
    await browser.press("rotate_secret", url);
    await browser.press("sign_out", fixture.clients);
    expect(await textOf(browser, fixture.clients)).toContain('name="password"');
    const log = await audited(own);
    expect(log).toMatchObject([
      { event: "console_link.created", details: { role: "admin", ...platformUser } },
      { event: "console_link.opened", details: { role: "admin", ...platformUser } },
      { event: "client.created", details: { name: "Lead export", ...platformUser } },
      { event: "client.secret_rotated", details: platformUser },
      { event: "user.signed_out", details: platformUser },
    ]);
    expect(new Set(log.map(({ userId, address }) => `${userId} ${address}`))).toEqual(
      new Set(["null 127.0.0.1"]),
    );
  });

  test("of a member sees no apps of the organization and changes none", async () => {
    const browser = await openedBrowser({ role: "member" });
    const page = await browser.get(fixture.clients);
    expect(page.status).toBe(403);
    const text = await page.text();
    expect(text).toContain("<bdi>Platform user</bdi>");
    expect(text).not.toContain(">Apps</a>");
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const fields = { csrf_token, action: "create", name: "X", redirect_uris: "https://x.example/" };
    expect((await browser.post(fixture.clients, fields)).status).toBe(403);
    expect(await fixture.db.oAuthClient.count({ where: { organizationId } })).toBe(0);
  });

  test("has no connected apps, and the page says why", async () => {
    const browser = await openedBrowser();
    const page = await browser.get(fixture.apps);
    expect(page.status).toBe(403);
    const text = await page.text();
    expect(text).toContain("You opened the console from your platform");
    expect(text).toMatch(/<a href="\/console\/clients"[^>]*>Apps<\/a>/);
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const fields = { csrf_token, action: "revoke", client_id: "protocol-client" };
    expect((await browser.post(fixture.apps, fields)).status).toBe(403);
  });

  test("can give no app access: the authorization page asks to sign in", async () => {
    const { email, organizationId: own } = await createUser(fixture.db);
    const browser = await openedBrowser(ada, own);
    const csrf_token = await browser.csrfToken(fixture.page());
    expect(await textOf(browser, fixture.page())).toContain('name="password"');
    const response = await browser.post(fixture.page(), { csrf_token, action: "allow" });
    expect(locationOf(response).host).toBe(new URL(fixture.url).host);
    expect(await fixture.db.oAuthGrant.count({ where: { organizationId: own } })).toBe(0);

    // A user who signs in replaces the session.
    const earlier = sessionHash(browser);
    await browser.press("sign_in", fixture.page(), { email, password });
    expect(await textOf(browser, fixture.page())).toContain('value="allow"');
    expect(await fixture.db.userSession.findUnique({ where: { tokenHash: earlier } })).toBeNull();
  });

  test("ends after it expires", async () => {
    const browser = await openedBrowser();
    await fixture.db.userSession.update({
      where: { tokenHash: sessionHash(browser) },
      data: { expiresAt: new Date() },
    });
    expect(await textOf(browser, fixture.clients)).toContain('name="password"');
  });

  test("ends when the organization is deleted, and its links no longer open", async () => {
    const { organizationId: own } = await createUser(fixture.db);
    const browser = await openedBrowser(ada, own);
    const url = await newLink(ada, own);
    await fixture.db.organization.update({ where: { id: own }, data: { deletionStartedAt: new Date() } });
    expect(await textOf(browser, fixture.clients)).toContain('name="password"');
    expect((await newBrowser().get(url)).status).toBe(410);
    expect((await fetch(url, { method: "HEAD", redirect: "manual" })).status).toBe(410);
    expect((await post(ada, own)).status).toBe(404);
    await deleteOrganization(fixture.db, own, { operator: "test" });
    expect(await sessionOf(browser)).toBeNull();
    expect(await fixture.db.consoleLink.count({ where: { organizationId: own } })).toBe(0);
  });
});
