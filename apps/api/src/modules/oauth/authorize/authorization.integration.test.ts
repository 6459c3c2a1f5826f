import { hashToken } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestBrowser } from "../testing/browser.ts";
import {
  createUser,
  locationOf,
  type OAuthFixture,
  password,
  pkce,
  redirectUri,
  signIn,
  startOAuthFixture,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const browser = () => new TestBrowser(fixture.fetch);

describe("errors of the client ID and the redirect URI are not redirected", () => {
  test.each([
    ["no client_id", { client_id: null }, "client_id is missing"],
    ["an empty client_id", { client_id: "" }, "client_id is missing"],
    ["an unknown client", { client_id: "nobody" }, "No app"],
    ["a client_id that no database holds", { client_id: "a\0b" }, "NUL"],
    ["no redirect_uri", { redirect_uri: null }, "redirect_uri is missing"],
    ["another redirect_uri", { redirect_uri: "https://evil.example.com/callback" }, "not registered"],
    ["a longer redirect_uri", { redirect_uri: `${redirectUri}/more` }, "not registered"],
    ["another client's", { redirect_uri: "https://second.example.com/callback" }, "not registered"],
  ])("%s", async (_name, parameters, message) => {
    const response = await browser().get(fixture.page(parameters));
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
    expect(await response.text()).toContain(message);
  });

  test.each(["client_id", "redirect_uri"])("%s sent twice", async (name) => {
    const response = await browser().get(`${fixture.page()}&${name}=x`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`${name} was sent more than once`);
  });
});

describe("all other errors are redirected to the client", () => {
  test.each([
    ["no response_type", { response_type: null }, "invalid_request", "response_type is missing"],
    ["response_type token", { response_type: "token" }, "unsupported_response_type", "code"],
    ["no scope", { scope: null }, "invalid_request", "scope is missing"],
    ["an empty scope", { scope: "" }, "invalid_request", "scope is missing"],
    ["an unknown scope", { scope: "leads:read cats:pet" }, "invalid_scope", "cats:pet"],
    ["a scope that cannot be repeated", { scope: 'ö"\\' }, "invalid_scope", "The scope is unknown"],
    [
      "method plain",
      { code_challenge: "x".repeat(43), code_challenge_method: "plain" },
      "invalid_request",
      "S256",
    ],
    ["no method, which means plain", { code_challenge: "x".repeat(43) }, "invalid_request", "S256"],
    [
      "a method without challenge",
      { code_challenge_method: "S256" },
      "invalid_request",
      "code_challenge is missing",
    ],
    ["a short challenge", { ...pkce().challenge, code_challenge: "short" }, "invalid_request", "base64url"],
  ])("%s", async (_name, parameters, error, message) => {
    const response = await browser().get(fixture.page(parameters));
    const location = locationOf(response);
    expect(response.status).toBe(302);
    expect(location.href.startsWith(`${redirectUri}&`)).toBe(true);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      tenant: "7",
      error,
      error_description: expect.stringContaining(message),
      state: "st&te=1",
      iss: fixture.url,
    });
    expect(location.searchParams.get("error_description")).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  });

  test.each(["response_type", "scope", "state", "code_challenge"])("%s sent twice", async (name) => {
    const location = locationOf(await browser().get(`${fixture.page({ [name]: "x" })}&${name}=x`));
    expect(location.searchParams.get("error")).toBe("invalid_request");
    expect(location.searchParams.get("error_description")).toContain(`${name} was sent more than once`);
  });

  test("has no state if the request had none", async () => {
    const location = locationOf(await browser().get(fixture.page({ state: null, scope: "x" })));
    expect(location.searchParams.has("state")).toBe(false);
  });

  test("unknown parameters are ignored", async () => {
    expect((await browser().get(`${fixture.page()}&prompt=consent&prompt=login`)).status).toBe(200);
  });
});

describe("the pages", () => {
  test("have headers that forbid scripts, framing, caching and referrers", async () => {
    const { headers } = await browser().get(fixture.page());
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("show sign-in, then consent with app, host, organization, user and described scopes", async () => {
    const visitor = browser();
    const page = await (await visitor.get(fixture.page())).text();
    expect(page).toContain("<h1>Sign in</h1>");
    expect(page).not.toContain("Allow");

    const signedIn = await visitor.press("sign_in", fixture.page(), {
      email: ` ${fixture.email.toUpperCase()}`,
      password,
    });
    expect(signedIn.status).toBe(303);
    expect(locationOf(signedIn).href).toBe(fixture.page());
    const consent = await visitor.get(fixture.page());
    const text = await consent.text();
    for (const message of [
      "App &lt;b&gt;protocol-client&lt;/b&gt; wants access to Umbrella &amp; Sons",
      "Uma &lt;User&gt;",
      fixture.email,
      "app.example.com",
      "Read qualification leads",
      "Create and manage webhooks",
    ]) {
      expect(text).toContain(message);
    }
    expect(text).not.toContain("<b>");
    expect(text).not.toContain("no API access");
    expect(text).not.toContain("This app was registered by");
    expect(consent.headers.get("content-security-policy")).toContain("form-action 'self' https:;");
  });

  test("let users of a free organization consent, with a note that the plan has no API access", async () => {
    const { email } = await createUser(fixture.db, "free");
    const visitor = browser();
    await visitor.press("sign_in", fixture.page(), { email, password });
    expect(await (await visitor.get(fixture.page())).text()).toContain("no API access");
    expect(locationOf(await visitor.press("allow", fixture.page())).searchParams.get("code")).toMatch(
      /^parley_ac_/,
    );
  });
});

describe("the authorization response", () => {
  test("Allow redirects with code, state and iss, and keeps the query of the redirect URI", async () => {
    const response = await (await fixture.signedIn()).press("allow", fixture.page());
    expect(response.status).toBe(303);
    const location = locationOf(response);
    expect(location.href.startsWith(`${redirectUri}&code=`)).toBe(true);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      tenant: "7",
      code: expect.stringMatching(/^parley_ac_[A-Za-z0-9_-]{43}$/),
      state: "st&te=1",
      iss: fixture.url,
    });
  });

  test("Deny redirects with access_denied", async () => {
    const response = await (await fixture.signedIn()).press("deny", fixture.page());
    expect(response.status).toBe(303);
    const { error, state, iss, code } = Object.fromEntries(locationOf(response).searchParams);
    expect({ error, state, iss, code }).toEqual({
      error: "access_denied",
      state: "st&te=1",
      iss: fixture.url,
    });
  });

  test("a native app may listen on any port of a loopback address", async () => {
    for (const uri of ["http://127.0.0.1:53682/callback", "http://localhost:4567/callback"]) {
      const response = await (await fixture.signedIn()).press("allow", fixture.page({ redirect_uri: uri }));
      expect(locationOf(response).href.startsWith(`${uri}?code=parley_ac_`)).toBe(true);
    }
  });

  test("a state with any characters is returned unchanged", async () => {
    const state = "ü \"'+%00&=#<script>🙂";
    const response = await (await fixture.signedIn()).press("allow", fixture.page({ state }));
    expect(locationOf(response).searchParams.get("state")).toBe(state);
  });

  test("a user may allow access a hundred times an hour", async () => {
    const { email, id: userId } = await createUser(fixture.db);
    const visitor = await signIn(fixture, email);
    const page = await (await visitor.get(fixture.page())).text();
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const allow = () => visitor.post(fixture.page(), { csrf_token, action: "allow" });
    for (let batch = 0; batch < 10; batch += 1) {
      const allowed = await Promise.all(Array.from({ length: 10 }, allow));
      expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([303]));
    }
    const refused = await allow();
    expect([refused.status, refused.headers.get("location")]).toEqual([429, null]);
    expect(await refused.text()).toContain("You gave apps access too many times. Try again in 60 minutes.");
    expect(await fixture.db.oAuthGrant.count({ where: { userId } })).toBe(100);
    expect((await visitor.post(fixture.page(), { csrf_token, action: "deny" })).status).toBe(303);
  });

  test("code and session are stored only as hashes", async () => {
    const visitor = await fixture.signedIn();
    const code = locationOf(await visitor.press("allow", fixture.page())).searchParams.get("code") ?? "";
    const codeHash = hashToken(code);
    const { redirectUri: stored } = await fixture.db.oAuthAuthorizationCode.findUniqueOrThrow({
      where: { codeHash },
    });
    expect(stored).toBe(redirectUri);
    const tokenHash = hashToken(visitor.cookies.get("parley_session") ?? "");
    expect(await fixture.db.userSession.count({ where: { tokenHash } })).toBe(1);
  });
});
