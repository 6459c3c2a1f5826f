import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBrowser } from "./testing/browser.ts";
import {
  client,
  form,
  locationOf,
  type OAuthFixture,
  password,
  redirectUri,
  startOAuthFixture,
  type Tokens,
} from "./testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const revoke = (token: string) =>
  fixture.fetch(`${fixture.url}/api/oauth/revoke`, form({ token, ...client }));

test("records a sign-in and the following events, with address and without secrets", async () => {
  const browser = new TestBrowser(fixture.fetch);
  const secrets: string[] = [password, client.client_secret, "a wrong password"];
  await browser.press("sign_in", fixture.page(), { email: fixture.email, password: "a wrong password" });
  await browser.press("sign_in", fixture.page(), { email: fixture.email, password });
  secrets.push(browser.cookies.get("parley_session") ?? "");
  await browser.press("deny", fixture.page());
  const code = locationOf(await browser.press("allow", fixture.page())).searchParams.get("code") ?? "";
  const first = (await (await fixture.exchange(code)).json()) as Tokens;
  const second = (await (
    await fixture.refresh(first.refresh_token, { scope: "leads:read" })
  ).json()) as Tokens;
  await revoke(second.access_token);
  await revoke(second.refresh_token);
  const again = locationOf(await browser.press("allow", fixture.page())).searchParams.get("code") ?? "";
  await fixture.exchange(again);
  await fixture.exchange(again);
  await fixture.exchange(again); // The third use ends nothing any more.
  await browser.press("sign_out", fixture.page());
  for (const pair of [first, second]) secrets.push(pair.access_token, pair.refresh_token);
  secrets.push(code, again);

  const entries = await fixture.db.auditEntry.findMany({ orderBy: { id: "asc" } });
  const scopes = ["leads:read", "webhooks:manage"];
  expect(entries.map(({ event, details }) => [event, details])).toEqual([
    ["user.sign_in_failed", {}],
    ["user.signed_in", { network: "127.0.0.1" }],
    ["consent.denied", {}],
    ["consent.granted", { scopes, redirect_uri: redirectUri }],
    ["token.issued", { scopes }],
    ["token.refreshed", { scopes: ["leads:read"] }],
    ["token.revoked", {}],
    ["grant.revoked", { reason: "client_request" }],
    ["consent.granted", { scopes, redirect_uri: redirectUri }],
    ["token.issued", { scopes }],
    ["token.reused", { reason: "code_reused" }],
    ["grant.revoked", { reason: "code_reused" }],
    ["user.signed_out", {}],
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      userId: fixture.userId,
      organizationId: fixture.organizationId,
      address: "127.0.0.1",
    });
    const ofGrant = /^(token|grant)\.|consent.granted/.test(entry.event);
    expect(entry.grantId !== null).toBe(ofGrant);
    expect(entry.clientId).toBe(entry.event.startsWith("user.") ? null : client.client_id);
  }
  const log = JSON.stringify(entries);
  for (const secret of secrets) expect(log).not.toContain(secret);
});

test("records only the address of a sign-in with an unknown email, because users type passwords there by mistake", async () => {
  const browser = new TestBrowser(fixture.fetch);
  await browser.press("sign_in", fixture.page(), { email: "typed-by-mistake", password: "x" });
  const [entry] = await fixture.db.auditEntry.findMany({ orderBy: { id: "desc" }, take: 1 });
  expect(entry).toMatchObject({ event: "user.sign_in_failed", userId: null, address: "127.0.0.1" });
  expect(JSON.stringify(entry)).not.toContain("typed-by-mistake");
});
