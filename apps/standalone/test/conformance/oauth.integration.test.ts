import { TestBrowser } from "@parley/api/testing";
import { conformingFetch } from "@parley/contract/testing";
import { hashToken } from "@parley/database";
import { describe, expect, test } from "vitest";
import {
  authorizationPage,
  challengeOf,
  demoClient,
  everyScope,
  redirectUri,
  type Tokens,
  useAccount,
} from "./service.ts";

// GET /api/oauth/authorize and POST /api/oauth/token.

const { service, account } = useAccount();

const error = (code: string) => ({ error: code, error_description: expect.stringMatching(/\S \S/) });
/** The example of RFC 7636, appendix B. */
const pkce = {
  verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
};

/** Sends a JSON body to the token endpoint; members that are undefined are left out. */
async function token(body: object) {
  const { status, headers, body: response } = await service.send("POST", "/api/oauth/token", { body });
  return { status, headers, body: response as unknown as Tokens };
}

async function newCode(parameters: Record<string, string> = {}): Promise<string> {
  return (await account.authorize(parameters)).searchParams.get("code") ?? "";
}

const exchange = (code: string, changes: object = {}) =>
  token({ grant_type: "authorization_code", code, redirect_uri: redirectUri, ...demoClient, ...changes });
const refresh = (refresh_token: string, changes: object = {}) =>
  token({ grant_type: "refresh_token", refresh_token, ...demoClient, ...changes });

describe("the authorization page", () => {
  const request = { scope: "leads:read", state: "af0ifjsldkj" };
  const open = (parameters: Record<string, string | undefined>) =>
    fetch(authorizationPage(service.url, { ...request, ...parameters }), { redirect: "manual" });

  test("is an HTML page that needs no token", async () => {
    const response = await open({});
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
  });

  test("after the user allowed access, the code is delivered to redirect_uri, with the state that was sent", async () => {
    const address = await account.authorize(request);
    expect(address.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      code: expect.stringMatching(/^parley_ac_[\w-]{20,}$/),
      state: "af0ifjsldkj",
      iss: service.url,
    });
  });

  test("after the user denied access, access_denied is delivered to redirect_uri, without a code", async () => {
    const browser = new TestBrowser(conformingFetch());
    const page = authorizationPage(service.url, request);
    await browser.press("sign_in", page, { email: "pro@demo.parley.dev", password: "parley-demo" });
    const response = await browser.press("deny", page);
    const address = new URL(response.headers.get("location") ?? "");
    expect(address.searchParams.get("error")).toBe("access_denied");
    expect(address.searchParams.get("state")).toBe("af0ifjsldkj");
    expect(address.searchParams.has("code")).toBe(false);
  });

  test("state may be any string, and is returned as it was sent", async () => {
    const state = "a b/?&=#+%25ü🦊";
    expect((await account.authorize({ state })).searchParams.get("state")).toBe(state);
  });

  test("state may be left out", async () => {
    const address = await account.authorize({ scope: "leads:read" });
    expect([...address.searchParams.keys()]).toEqual(["code", "iss"]);
  });

  test.each([
    ["client_id is missing", { client_id: undefined }],
    ["client_id is unknown", { client_id: "nobody" }],
    ["redirect_uri is missing", { redirect_uri: undefined }],
    ["redirect_uri is not registered", { redirect_uri: "https://attacker.example.com/callback" }],
  ])("%s: the user sees an error page (400) and is not redirected", async (_statement, parameters) => {
    const response = await open(parameters);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test.each([
    ["response_type is missing", { response_type: undefined }, "invalid_request"],
    ["response_type is not code", { response_type: "token" }, "unsupported_response_type"],
    ["scope is missing", { scope: undefined }, "invalid_request"],
    ["a scope does not exist", { scope: "leads:read leads:delete" }, "invalid_scope"],
    [
      "code_challenge_method is plain",
      { code_challenge: pkce.verifier, code_challenge_method: "plain" },
      "invalid_request",
    ],
    [
      "code_challenge is sent without code_challenge_method",
      { code_challenge: pkce.challenge },
      "invalid_request",
    ],
  ])("%s: the error is sent to the redirect URI", async (_statement, parameters, code) => {
    const response = await open(parameters);
    const address = new URL(response.headers.get("location") ?? "");
    expect(`${address.origin}${address.pathname}`).toBe(redirectUri);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      ...error(code),
      state: "af0ifjsldkj",
      iss: service.url,
    });
  });

  const scopes = [
    "leads:read",
    "leads:write",
    "conversations:read",
    "conversations:write",
    "tickets:read",
    "tickets:write",
    "meetings:read",
    "webhooks:manage",
  ];
  test.each(scopes)("%s is a scope that can be requested and granted", async (scope) => {
    expect((await exchange(await newCode({ scope }))).body).toMatchObject({ scope });
  });

  test("the metadata lists these eight scopes and no other", async () => {
    const metadata = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
    expect(((await metadata.json()) as { scopes_supported: string[] }).scopes_supported).toEqual(scopes);
  });
});

describe("the authorization code grant", () => {
  test("returns both tokens, Bearer, 3600, the scopes separated by spaces, and the root address", async () => {
    const { status, headers, body } = await exchange(await newCode({ scope: "leads:read webhooks:manage" }));
    expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^parley_at_[\w-]{20,}$/),
      refresh_token: expect.stringMatching(/^parley_rt_[\w-]{20,}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "leads:read webhooks:manage",
      api_base_url: service.url,
    });
  });

  test("the access token acts within the granted scopes at api_base_url", async () => {
    const { body } = await exchange(await newCode({ scope: "leads:read" }));
    const headers = { authorization: `Bearer ${body.access_token}` };
    const { api_base_url } = body as unknown as { api_base_url: string };
    expect((await fetch(`${api_base_url}/api/v1/leads`, { headers })).status).toBe(200);
    expect((await fetch(`${api_base_url}/api/v1/tickets`, { headers })).status).toBe(403);
  });

  test.each(["grant_type", "code", "redirect_uri", "client_id", "client_secret"])(
    "%s is required: without it 400 invalid_request",
    async (name) => {
      const code = await newCode();
      const refused = await exchange(code, { [name]: undefined });
      expect([refused.status, refused.body]).toEqual([400, error("invalid_request")]);
      expect(JSON.stringify(refused.body)).toContain(name);
      expect((await exchange(code)).status).toBe(200);
    },
  );

  test.each([
    ["grant_type is password", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["grant_type is client_credentials", { grant_type: "client_credentials" }, 400, "unsupported_grant_type"],
    ["client_id is wrong", { client_id: "nobody" }, 401, "invalid_client"],
    ["client_secret is wrong", { client_secret: "guess" }, 401, "invalid_client"],
    ["redirect_uri is another", { redirect_uri: "http://localhost/callback" }, 400, "invalid_grant"],
    ["the code is unknown", { code: "parley_ac_unknown" }, 400, "invalid_grant"],
    ["code_verifier is sent, but no challenge was", { code_verifier: pkce.verifier }, 400, "invalid_grant"],
  ])("%s: %i %s", async (_statement, changes, status, code) => {
    const refused = await exchange(await newCode(), changes);
    expect([refused.status, refused.body]).toEqual([status, error(code)]);
  });

  test("a code works once: the second time is invalid_grant, and revokes the tokens of the first", async () => {
    const code = await newCode();
    const { refresh_token } = (await exchange(code)).body;
    const again = await exchange(code);
    expect([again.status, again.body]).toEqual([400, error("invalid_grant")]);
    expect((await refresh(refresh_token)).body).toEqual(error("invalid_grant"));
  });

  test("a code works for 60 seconds: 50 seconds later it is accepted (its row is moved back)", async () => {
    expect((await exchange(await agedCode(50))).status).toBe(200);
  });

  test("an expired code is 400 invalid_grant (its row is moved back by 60 seconds)", async () => {
    const refused = await exchange(await agedCode(60));
    expect([refused.status, refused.body]).toEqual([400, error("invalid_grant")]);
  });

  /** Returns a code that was issued a number of seconds ago. */
  async function agedCode(seconds: number): Promise<string> {
    const code = await newCode();
    const moved = await service.db.$executeRaw`
      UPDATE oauth_authorization_codes SET expires_at = expires_at - make_interval(secs => ${seconds})
      WHERE code_hash = ${hashToken(code)}`;
    expect(moved).toBe(1);
    return code;
  }
});

describe("PKCE", () => {
  const challenged = (challenge: string) =>
    newCode({ code_challenge: challenge, code_challenge_method: "S256" });

  test("is optional: without a challenge no verifier is needed", async () => {
    expect((await exchange(await newCode())).status).toBe(200);
  });

  test("the challenge is the base64url form of the SHA-256 of the verifier", async () => {
    const { status } = await exchange(await challenged(pkce.challenge), { code_verifier: pkce.verifier });
    expect(status).toBe(200);
  });

  test.each([
    ["is missing", undefined],
    ["is another", "another-verifier-that-is-as-long-as-it-has-to-be"],
    ["is the challenge itself", pkce.challenge],
  ])("a verifier that %s is 400 invalid_grant", async (_statement, code_verifier) => {
    const refused = await exchange(await challenged(pkce.challenge), { code_verifier });
    expect([refused.status, refused.body]).toEqual([400, error("invalid_grant")]);
  });

  test.each([43, 128])("a verifier may have 43 to 128 characters: %i", async (length) => {
    const verifier = "a".repeat(length);
    const { status } = await exchange(await challenged(challengeOf(verifier)), { code_verifier: verifier });
    expect(status).toBe(200);
  });

  test.each([42, 129])("rejects a verifier of another length: %i", async (length) => {
    const verifier = "a".repeat(length);
    const refused = await exchange(await challenged(challengeOf(verifier)), { code_verifier: verifier });
    expect([refused.status, refused.body]).toEqual([400, error("invalid_request")]);
  });
});

describe("the refresh grant", () => {
  test("returns a new pair in the same format", async () => {
    const first = await account.tokens();
    const { status, body } = await refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^parley_at_[\w-]{20,}$/),
      refresh_token: expect.stringMatching(/^parley_rt_[\w-]{20,}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: everyScope,
      api_base_url: service.url,
    });
    expect(new Set([...Object.values(body), ...Object.values(first)]).size).toBe(8);
    const { access_token } = body;
    expect((await service.send("GET", "/api/v1/leads", { token: access_token })).status).toBe(200);
  });

  test.each(["grant_type", "refresh_token", "client_id", "client_secret"])(
    "%s is required: without it 400 invalid_request",
    async (name) => {
      const { refresh_token } = await account.tokens();
      const refused = await refresh(refresh_token, { [name]: undefined });
      expect([refused.status, refused.body]).toEqual([400, error("invalid_request")]);
      expect(JSON.stringify(refused.body)).toContain(name);
    },
  );

  test.each([
    ["the refresh token is unknown", { refresh_token: "parley_rt_unknown" }, 400, "invalid_grant"],
    ["a scope does not exist", { scope: "leads:delete" }, 400, "invalid_scope"],
    ["client_secret is wrong", { client_secret: "guess" }, 401, "invalid_client"],
  ])("%s: %i %s", async (_statement, changes, status, code) => {
    const { refresh_token } = await account.tokens();
    const refused = await refresh(refresh_token, changes);
    expect([refused.status, refused.body]).toEqual([status, error(code)]);
  });

  test("an access token is not a refresh token: invalid_grant", async () => {
    const { access_token } = await account.tokens();
    expect((await refresh(access_token)).body).toEqual(error("invalid_grant"));
  });

  test("a refresh token works for 30 days: one hour before the end it is accepted (its row is moved back)", async () => {
    expect((await refresh(await agedToken(30 * 24 - 1))).status).toBe(200);
  });

  test("an expired refresh token is 400 invalid_grant (its row is moved back by 30 days)", async () => {
    const refused = await refresh(await agedToken(30 * 24));
    expect([refused.status, refused.body]).toEqual([400, error("invalid_grant")]);
  });

  /** Returns a refresh token that was issued a number of hours ago. */
  async function agedToken(hours: number): Promise<string> {
    const { refresh_token } = await account.tokens();
    const moved = await service.db.$executeRaw`
      UPDATE oauth_tokens SET expires_at = expires_at - make_interval(hours => ${hours})
      WHERE token_hash = ${hashToken(refresh_token)}`;
    expect(moved).toBe(1);
    return refresh_token;
  }
});
