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
    await sdk.exchangeCode({ ...options, code: "c", redirectUri, codeVerifier: "v" });
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

  test("exchangeCode returns the tokens that Parley accepts, with their expiry by the clock of the client", async () => {
    const { options, clock } = await startTokenEndpoint(tokenResponse(1));
    const tokens = await sdk.exchangeCode({ ...options, code: "c", redirectUri });
    expect(tokens).toEqual({
      accessToken: "parley_at_1",
      refreshToken: "parley_rt_1",
      expiresAt: clock.time + 3_600_000,
      scopes: ["leads:read", "webhooks:manage"],
      apiBaseUrl: "https://parley.example.com",
    });
    expect(new sdk.Parley({ ...options, tokens })).toBeInstanceOf(sdk.Parley);
  });

  test("exchangeCode uses the system clock by default", async () => {
    const { options } = await startTokenEndpoint(tokenResponse(1));
    const before = Date.now();
    const { expiresAt } = await sdk.exchangeCode({ ...options, clock: undefined, code: "c", redirectUri });
    expect(expiresAt).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
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
    const tokens = await sdk.refresh({ ...options, refreshToken: "r" });
    expect(tokens).toMatchObject({ accessToken: "parley_at_2", refreshToken: "parley_rt_2" });
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

describe("handleCallback", () => {
  const expected = { baseUrl: "https://parley.example.com/", state: "a&b=c d" };
  const correct = { code: "parley_ac_1", state: "a&b=c d", iss: "https://parley.example.com" };
  const queryOf = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`;

  /** Returns the error for a query. */
  function errorOf(query: string, options: sdk.HandleCallbackOptions = expected): sdk.AuthorizationError {
    try {
      sdk.handleCallback(`/callback${query}`, options);
    } catch (error) {
      if (error instanceof sdk.AuthorizationError) return error;
      throw error;
    }
    throw new Error("Expected an AuthorizationError");
  }

  test.each<[string, string | URL]>([
    ["an absolute URL", redirectUri + queryOf(correct)],
    ["a URL object", new URL(redirectUri + queryOf(correct))],
    ["a relative URL", `/callback${queryOf(correct)}`],
    ["a query", queryOf(correct)],
    ["a URL with other parameters", `/callback${queryOf({ tenant: "7", ...correct })}&tenant=8`],
    ["a URL with a fragment", `/callback${queryOf(correct)}#?code=other`],
    ["a URL that cannot be parsed", `http://[${queryOf(correct)}`],
  ])("returns the code of %s", (_, url) => {
    expect(sdk.handleCallback(url, expected)).toEqual({ code: "parley_ac_1" });
  });

  test("returns an object that can be spread into the options of exchangeCode", async () => {
    const { options, received } = await startTokenEndpoint(tokenResponse(1));
    const url = redirectUri + queryOf({ ...correct, iss: options.baseUrl });
    const callback = sdk.handleCallback(url, { ...options, state: correct.state });
    await sdk.exchangeCode({ ...options, ...callback, redirectUri });
    expect(received[0]?.body).toMatchObject({ code: "parley_ac_1" });
  });

  test("compares iss with the issuer option instead of baseUrl", () => {
    const internal = { ...expected, baseUrl: "http://parley:8080", issuer: "https://parley.example.com" };
    expect(sdk.handleCallback(queryOf(correct), internal).code).toBe("parley_ac_1");
    expect(errorOf(queryOf({ ...correct, iss: "http://parley:8080" }), internal).code).toBe(
      "issuer_mismatch",
    );
  });

  const { code, state, iss } = correct;
  const denied = { error: "access_denied", error_description: "The user denied access.", state, iss };

  test.each([
    ["state_mismatch", "a missing state", queryOf({ code, iss })],
    ["state_mismatch", "another state", queryOf({ ...correct, state: "other" })],
    ["state_mismatch", "two states", `${queryOf(correct)}&state=other`],
    ["state_mismatch", "an error with another state", queryOf({ ...denied, state: "other" })],
    ["state_mismatch", "an empty query", ""],
    ["state_mismatch", "parameters in the fragment", `#${queryOf(correct)}`],
    ["issuer_mismatch", "a missing issuer", queryOf({ code, state })],
    ["issuer_mismatch", "another issuer", queryOf({ ...correct, iss: "https://evil.example.com" })],
    ["issuer_mismatch", "an issuer with a trailing slash", queryOf({ ...correct, iss: `${iss}/` })],
    ["issuer_mismatch", "two issuers", `${queryOf(correct)}&iss=https://evil.example.com`],
    [
      "issuer_mismatch",
      "an error of another issuer",
      queryOf({ ...denied, iss: "https://evil.example.com" }),
    ],
    ["missing_code", "no code and no error", queryOf({ state, iss })],
    ["missing_code", "an empty code", queryOf({ ...correct, code: "" })],
    ["missing_code", "two codes", `${queryOf(correct)}&code=parley_ac_1`],
  ])("throws %s for %s, without the code", (reason, _, query) => {
    const error = errorOf(query);
    expect(error).toMatchObject({ name: "AuthorizationError", code: reason });
    expect(error.message).toContain("Start the authorization again.");
    expect(JSON.stringify(error) + error.stack).not.toContain(code);
  });

  test("throws state_mismatch if the session has no state", () => {
    const query = queryOf({ ...correct, state: "" });
    expect(errorOf(query, { ...expected, state: "" }).code).toBe("state_mismatch");
    const lost = { baseUrl: expected.baseUrl } as sdk.HandleCallbackOptions;
    expect(errorOf(queryOf({ code, iss }), lost).code).toBe("state_mismatch");
    expect(errorOf(queryOf({ ...correct, state: "undefined" }), lost).code).toBe("state_mismatch");
  });

  test.each([
    "access_denied",
    "invalid_request",
    "invalid_scope",
    "unsupported_response_type",
    "server_error",
  ])("throws an OAuthError with the code and description of the redirect: %s", (error) => {
    const thrown = errorOf(queryOf({ ...denied, error }));
    expect(thrown).toBeInstanceOf(sdk.OAuthError);
    expect(thrown).toMatchObject({
      code: error,
      description: "The user denied access.",
      message: `The user denied access. (${error})`,
    });
  });

  test("throws the error of the redirect even if there is a code, and without a description", () => {
    const thrown = errorOf(queryOf({ ...correct, error: "access_denied" }));
    expect(thrown).toMatchObject({ code: "access_denied", description: "access_denied" });
    expect(thrown.message).not.toContain(code);
  });

  test("throws a TypeError for an invalid baseUrl", () => {
    expect(() => sdk.handleCallback(queryOf(correct), { ...expected, baseUrl: "parley" })).toThrow(TypeError);
  });
});
