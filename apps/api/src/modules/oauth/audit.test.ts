import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBrowser } from "./testing/browser.ts";
import {
  client,
  form,
  locationOf,
  password,
  redirectUri,
  type Scene,
  startScene,
  type Tokens,
} from "./testing/fixture.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

const revoke = (token: string) => scene.fetch(`${scene.url}/api/oauth/revoke`, form({ token, ...client }));

test("tells of a sign-in and all that came of it, with address and without secrets", async () => {
  const browser = new TestBrowser(scene.fetch);
  const secrets: string[] = [password, client.client_secret, "a wrong password"];
  await browser.press("sign_in", scene.page(), { email: scene.email, password: "a wrong password" });
  await browser.press("sign_in", scene.page(), { email: scene.email, password });
  secrets.push(browser.cookies.get("parley_session") ?? "");
  await browser.press("deny", scene.page());
  const code = locationOf(await browser.press("allow", scene.page())).searchParams.get("code") ?? "";
  const first = (await (await scene.exchange(code)).json()) as Tokens;
  const second = (await (await scene.refresh(first.refresh_token, { scope: "leads:read" })).json()) as Tokens;
  await revoke(second.access_token);
  await revoke(second.refresh_token);
  const again = locationOf(await browser.press("allow", scene.page())).searchParams.get("code") ?? "";
  await scene.exchange(again);
  await scene.exchange(again);
  await scene.exchange(again); // The third use ends nothing any more.
  await browser.press("sign_out", scene.page());
  for (const pair of [first, second]) secrets.push(pair.access_token, pair.refresh_token);
  secrets.push(code, again);

  const entries = await scene.db.auditEntry.findMany({ orderBy: { id: "asc" } });
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
      userId: scene.userId,
      organizationId: scene.organizationId,
      address: "127.0.0.1",
    });
    const ofGrant = /^(token|grant)\.|consent.granted/.test(entry.event);
    expect(entry.grantId !== null).toBe(ofGrant);
    expect(entry.clientId).toBe(entry.event.startsWith("user.") ? null : client.client_id);
  }
  const log = JSON.stringify(entries);
  for (const secret of secrets) expect(log).not.toContain(secret);
});

test("of a sign-in with an unknown email it keeps the address alone: people type passwords there", async () => {
  const browser = new TestBrowser(scene.fetch);
  await browser.press("sign_in", scene.page(), { email: "typed-by-mistake", password: "x" });
  const [entry] = await scene.db.auditEntry.findMany({ orderBy: { id: "desc" }, take: 1 });
  expect(entry).toMatchObject({ event: "user.sign_in_failed", userId: null, address: "127.0.0.1" });
  expect(JSON.stringify(entry)).not.toContain("typed-by-mistake");
});
