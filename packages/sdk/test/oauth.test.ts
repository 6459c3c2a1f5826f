import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as sdk from "../src/index.ts";
import { createTestClock } from "./support/clock.ts";
import { errorResponse, tokenResponse } from "./support/responses.ts";
import { startTestServer, type TestResponse } from "./support/server.ts";

const redirectUri = "https://app.example.com/callback";

/** Starts a token endpoint that returns the responses in order, then repeats the last one. */
async function startTokenEndpoint(...responses: TestResponse[]) {
  const server = await startTestServer((_, count) => responses[count] ?? responses.at(-1) ?? {});
  const clock = createTestClock();
  const options = { baseUrl: server.baseUrl, clientId: "client", clientSecret: "secret", clock };
  return { ...server, options, clock };
}

describe("authorizeUrl", () => {
  const request = { baseUrl: "https://parley.example.com/", clientId: "client", redirectUri };

  test("contains all options", () => {
    const url = new URL(
      sdk.authorizeUrl({
        ...request,
        scopes: ["leads:read", "webhooks:manage"],
        state: "a&b=c d",
        codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      }),
    );
    expect(url.origin + url.pathname).toBe("https://parley.example.com/api/oauth/authorize");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "client",
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "leads:read webhooks:manage",
      state: "a&b=c d",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    expect(url.search).toContain("leads%3Aread%20webhooks%3Amanage");
  });

  test("contains only required parameters by default", () => {
    const url = new URL(sdk.authorizeUrl({ ...request, scopes: ["leads:read"] }));
    expect([...url.searchParams.keys()]).toEqual(["client_id", "redirect_uri", "response_type", "scope"]);
  });

  test("keeps a plus sign in state", () => {
    const url = new URL(sdk.authorizeUrl({ ...request, scopes: [], state: "a+b" }));
    expect(url.searchParams.get("state")).toBe("a+b");
  });
});

describe("createPkce (RFC 7636)", () => {
  test("returns the challenge of RFC 7636, appendix B", async () => {
    expect(await sdk.createPkce("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toEqual({
      codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    });
  });

  test("generates a different verifier of 43 characters each time", async () => {
    const pairs = await Promise.all(Array.from({ length: 200 }, () => sdk.createPkce()));
    for (const { codeVerifier, codeChallenge } of pairs) {
      expect(codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(codeChallenge).toBe(createHash("sha256").update(codeVerifier).digest("base64url"));
    }
    expect(new Set(pairs.map(({ codeVerifier }) => codeVerifier)).size).toBe(200);
  });

  test("accepts only 43 to 128 unreserved characters", async () => {
    for (const length of [43, 128]) await sdk.createPkce("~".repeat(length));
    for (const bad of ["a".repeat(42), "a".repeat(129), `${"a".repeat(43)}+`, `${"a".repeat(43)}\n`]) {
      await expect(sdk.createPkce(bad)).rejects.toBeInstanceOf(RangeError);
    }
  });
});

describe("OAuth endpoints", () => {
  test("exchangeCode sends the code, the credentials and the verifier", async () => {
    const { options, received } = await startTokenEndpoint(tokenResponse(1));
    const response = await sdk.exchangeCode({ ...options, code: "c", redirectUri, codeVerifier: "v" });
    expect(response).toEqual(tokenResponse(1).body);
    expect(received).toMatchObject([
      {
        method: "POST",
        url: "/api/oauth/token",
        headers: { "content-type": "application/json" },
        body: {
          grant_type: "authorization_code",
          code: "c",
          redirect_uri: redirectUri,
          client_id: "client",
          client_secret: "secret",
          code_verifier: "v",
        },
      },
    ]);
  });

  test("exchangeCode sends no verifier without PKCE", async () => {
    const { options, received } = await startTokenEndpoint(tokenResponse(1));
    await sdk.exchangeCode({ ...options, code: "c", redirectUri });
    expect(received[0]?.body).not.toHaveProperty("code_verifier");
  });

  test("exchangeCode is not retried after a connection error, because a second use of the code revokes the grant", async () => {
    const { options, received } = await startTokenEndpoint({ fault: "disconnect" });
    const call = sdk.exchangeCode({ ...options, code: "c", redirectUri });
    await expect(call).rejects.toBeInstanceOf(sdk.ConnectionError);
    expect(received).toHaveLength(1);
  });

  test("refresh sends the refresh token and the credentials", async () => {
    const { options, received } = await startTokenEndpoint(tokenResponse(2));
    expect(await sdk.refresh({ ...options, refreshToken: "r" })).toEqual(tokenResponse(2).body);
    expect(received[0]?.body).toEqual({
      grant_type: "refresh_token",
      refresh_token: "r",
      client_id: "client",
      client_secret: "secret",
    });
  });

  test("refresh is retried after a connection error, within 45 seconds", async () => {
    const { options, received, clock } = await startTokenEndpoint({ fault: "disconnect" });
    const sleep = (ms: number, signal: AbortSignal) => clock.sleep(ms + 45_000, signal);
    const call = sdk.refresh({ ...options, refreshToken: "r", clock: { ...clock, now: clock.now, sleep } });
    await expect(call).rejects.toBeInstanceOf(sdk.ConnectionError);
    expect(received).toHaveLength(2);
  });

  test("revoke is retried after a connection error, and accepts an empty response", async () => {
    const { options, received } = await startTokenEndpoint({ fault: "disconnect" }, { status: 200 });
    expect(await sdk.revoke({ ...options, token: "t" })).toBeUndefined();
    expect(received.map(({ url }) => url)).toEqual(["/api/oauth/revoke", "/api/oauth/revoke"]);
    expect(received[0]?.body).toEqual({ token: "t", client_id: "client", client_secret: "secret" });
  });

  test("a signal aborts the call", async () => {
    const { options, received } = await startTokenEndpoint(tokenResponse(1));
    const signal = AbortSignal.abort();
    const call = sdk.refresh({ ...options, refreshToken: "r", signal });
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    expect(received).toHaveLength(0);
  });

  test.each([
    [400, "invalid_request", sdk.InvalidRequestError],
    [401, "invalid_client", sdk.InvalidClientError],
    [400, "invalid_grant", sdk.InvalidGrantError],
    [400, "unsupported_grant_type", sdk.UnsupportedGrantTypeError],
    [400, "invalid_scope", sdk.InvalidScopeError],
  ])("throw the error class of %i %s", async (status, code, type) => {
    const { options } = await startTokenEndpoint(errorResponse(status, code));
    const attempts = [
      sdk.exchangeCode({ ...options, code: "c", redirectUri }),
      sdk.refresh({ ...options, refreshToken: "r" }),
      sdk.revoke({ ...options, token: "t" }),
    ];
    for (const attempt of attempts) {
      const error = await attempt.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ name: type.name, status, code });
      expect(error instanceof sdk.OAuthError).toBe(code !== "invalid_request");
    }
  });
});

test("toTokens converts a token response", () => {
  const response = tokenResponse(1).body as sdk.TokenResponse;
  expect(sdk.toTokens(response, 1000)).toEqual({
    accessToken: "parley_at_1",
    refreshToken: "parley_rt_1",
    expiresAt: 3_601_000,
  });
  expect(sdk.toTokens(response).expiresAt).toBeGreaterThan(Date.now());
});
