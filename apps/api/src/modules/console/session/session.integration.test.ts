import { hashToken } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestBrowser } from "../../oauth/testing/browser.ts";
import { password } from "../../oauth/testing/fixture.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { HtmlPage } from "../testing/html-page.ts";
import { startVisitor } from "../testing/visitor.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const newBrowser = () => new TestBrowser(fixture.fetch);
const secretOf = (browser: TestBrowser) => browser.cookies.get("parley_session") ?? "";
const locationOf = (response: Response) => [response.status, response.headers.get("location")];

async function open(browser: TestBrowser, path: string): Promise<HtmlPage> {
  const response = await browser.get(fixture.url + path);
  return new HtmlPage(await response.text(), path, response.status);
}

/** Submits the sign-in form that a page shows. */
const signIn = (browser: TestBrowser, path: string, fields: Record<string, string>) =>
  browser.press("sign_in", fixture.url + path, { password, ...fields });

describe("signing in", () => {
  test.each([
    "/console",
    "/console/webhooks",
    "/console/deliveries?status=exhausted&since=2026-03-01T09%3A00",
    `/console/events/${crypto.randomUUID()}`,
    "/console/webhooks/new",
  ])("leads back to the page that asked for it, with its query: %s", async (path) => {
    const { email } = await fixture.person();
    const browser = newBrowser();
    const page = await open(browser, path);
    expect([page.status, page.html.includes('type="password"')]).toEqual([200, true]);
    expect(locationOf(await signIn(browser, path, { email }))).toEqual([303, path]);
    expect((await open(browser, path)).html).not.toContain('type="password"');
  });

  test.each([
    "https://evil.example/console",
    "//evil.example/console",
    "/\\evil.example/console",
    "/console/../docs/",
    "/console/%2e%2e/docs/",
    "/consoles",
    "/console/session",
    "/console/link?token=x",
    "javascript:alert(1)",
    "",
  ])("leads to no other page than one of the console: %j", async (return_to) => {
    const { email } = await fixture.person();
    const response = await signIn(newBrowser(), "/console/webhooks", { email, return_to });
    expect(locationOf(response)).toEqual([303, "/console"]);
  });

  test("starts a session under a new secret, and shows the user and the organization", async () => {
    const { email } = await fixture.person();
    const browser = newBrowser();
    await open(browser, "/console");
    const before = secretOf(browser);
    await signIn(browser, "/console", { email: ` ${email.toUpperCase()} ` });
    expect(secretOf(browser)).not.toBe(before);
    expect((await open(browser, "/console")).text).toContain("Uma <User>, Umbrella & Sons");
  });

  test("with a wrong password says so once, keeps the email, and leads back", async () => {
    const { email } = await fixture.person();
    const browser = newBrowser();
    const path = "/console/usage";
    const response = await signIn(browser, path, { email, password: "wrong" });
    expect(locationOf(response)).toEqual([303, path]);
    const page = await open(browser, path);
    expect(page.role("alert")).toBeDefined();
    expect(page.html).toContain(`value="${email}"`);
    expect((await open(browser, path)).role("alert")).toBeUndefined();
  });

  test("needs the token of the page, and a form of the same website", async () => {
    const { email } = await fixture.person();
    const url = `${fixture.url}/console/session`;
    const fields = { action: "sign_in", email, password };
    const browser = newBrowser();
    const csrf_token = await browser.csrfToken(`${fixture.url}/console`);
    expect((await browser.post(url, { ...fields, csrf_token: "wrong" })).status).toBe(400);
    expect((await newBrowser().post(url, { ...fields, csrf_token })).status).toBe(400);
    const foreign = { origin: "https://evil.example" };
    expect((await browser.post(url, { ...fields, csrf_token }, foreign)).status).toBe(403);
    expect((await open(browser, "/console")).html).toContain('type="password"');
  });
});

describe("signing out", () => {
  test("ends the session of this browser only", async () => {
    const visitor = await startVisitor(fixture);
    const other = await fixture.signIn(visitor);
    const secret = secretOf(visitor.browser);
    const response = await visitor.browser.press("sign_out", `${fixture.url}/console/webhooks`);
    expect(locationOf(response)).toEqual([303, "/console"]);
    expect((await open(visitor.browser, "/console/webhooks")).html).toContain('type="password"');
    expect(await fixture.db.userSession.count({ where: { tokenHash: hashToken(secret) } })).toBe(0);
    visitor.browser.cookies.set("parley_session", secret);
    expect((await open(visitor.browser, "/console/webhooks")).html).toContain('type="password"');
    expect((await open(other, "/console/webhooks")).html).not.toContain('type="password"');
  });
});

describe("a session that expired", () => {
  const expire = (browser: TestBrowser) =>
    fixture.db.userSession.update({
      where: { tokenHash: hashToken(secretOf(browser)) },
      data: { expiresAt: new Date() },
    });

  test("asks to sign in at the same address", async () => {
    const visitor = await startVisitor(fixture);
    await expire(visitor.browser);
    const path = "/console/deliveries?status=exhausted";
    expect((await open(visitor.browser, path)).html).toContain('type="password"');
    expect(locationOf(await signIn(visitor.browser, path, { email: visitor.email }))).toEqual([303, path]);
  });

  test("changes nothing when a form is submitted, and leads to the sign-in page", async () => {
    const visitor = await startVisitor(fixture);
    const { organizationId } = visitor;
    const csrf_token = await visitor.browser.csrfToken(`${fixture.url}/console`);
    await expire(visitor.browser);
    const fields = { csrf_token, action: "save", target_url: "https://example.com/", types: "all" };
    const response = await visitor.browser.post(`${fixture.url}/console/webhooks/new`, fields);
    expect(locationOf(response)).toEqual([303, "/console/webhooks/new"]);
    expect(await fixture.db.subscription.count({ where: { organizationId } })).toBe(0);
  });

  test("pages show nothing of the organization to a browser without a session", async () => {
    const { html } = await open(newBrowser(), "/console/webhooks");
    expect(html).not.toContain("Umbrella");
    expect(html).not.toContain('aria-label="Console"');
  });
});
