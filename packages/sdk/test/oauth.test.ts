import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as sdk from "../src/index.ts";
import { testClock } from "./support/clock.ts";
import { refusal, tokenAnswer } from "./support/replies.ts";
import { type Reply, startServer } from "./support/server.ts";

const redirectUri = "https://app.example.com/callback";

/** A token endpoint that answers in turn, and how to reach it. */
async function startEndpoint(...replies: Reply[]) {
  const server = await startServer((_, count) => replies[count] ?? replies.at(-1) ?? {});
  const clock = testClock();
  const options = { baseUrl: server.baseUrl, clientId: "client", clientSecret: "secret", clock };
  return { ...server, options, clock };
}

describe("authorizeUrl (specification §5.1)", () => {
  const request = { baseUrl: "https://parley.example.com/", clientId: "client", redirectUri };

  test("with everything", () => {
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

  test("with what is required", () => {
    const url = new URL(sdk.authorizeUrl({ ...request, scopes: ["leads:read"] }));
    expect([...url.searchParams.keys()]).toEqual(["client_id", "redirect_uri", "response_type", "scope"]);
  });

  test("a plus sign stays one", () => {
    const url = new URL(sdk.authorizeUrl({ ...request, scopes: [], state: "a+b" }));
    expect(url.searchParams.get("state")).toBe("a+b");
  });
});

describe("createPkce (RFC 7636)", () => {
  test("the example of appendix B", async () => {
    expect(await sdk.createPkce("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toEqual({
      codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    });
  });

  test("a verifier of its own: 43 characters, another one each time", async () => {
    const pairs = await Promise.all(Array.from({ length: 200 }, () => sdk.createPkce()));
    for (const { codeVerifier, codeChallenge } of pairs) {
      expect(codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(codeChallenge).toBe(createHash("sha256").update(codeVerifier).digest("base64url"));
    }
    expect(new Set(pairs.map(({ codeVerifier }) => codeVerifier)).size).toBe(200);
  });

  test("43 to 128 characters, no others", async () => {
    for (const length of [43, 128]) await sdk.createPkce("~".repeat(length));
    for (const bad of ["a".repeat(42), "a".repeat(129), `${"a".repeat(43)}+`, `${"a".repeat(43)}\n`]) {
      await expect(sdk.createPkce(bad)).rejects.toBeInstanceOf(RangeError);
    }
  });
});

describe("the token endpoint (specification §5.2)", () => {
  test("exchangeCode", async () => {
    const { options, received } = await startEndpoint(tokenAnswer(1));
    const answer = await sdk.exchangeCode({ ...options, code: "c", redirectUri, codeVerifier: "v" });
    expect(answer).toEqual(tokenAnswer(1).body);
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

  test("exchangeCode without PKCE sends no verifier", async () => {
    const { options, received } = await startEndpoint(tokenAnswer(1));
    await sdk.exchangeCode({ ...options, code: "c", redirectUri });
    expect(received[0]?.body).not.toHaveProperty("code_verifier");
  });

  test("exchangeCode is not repeated after a lost answer: a code's second use ends the grant", async () => {
    const { options, received } = await startEndpoint({ fault: "cut" });
    const call = sdk.exchangeCode({ ...options, code: "c", redirectUri });
    await expect(call).rejects.toBeInstanceOf(sdk.ConnectionError);
    expect(received).toHaveLength(1);
  });

  test("refresh", async () => {
    const { options, received } = await startEndpoint(tokenAnswer(2));
    expect(await sdk.refresh({ ...options, refreshToken: "r" })).toEqual(tokenAnswer(2).body);
    expect(received[0]?.body).toEqual({
      grant_type: "refresh_token",
      refresh_token: "r",
      client_id: "client",
      client_secret: "secret",
    });
  });

  test("refresh is repeated after a lost answer, but not after 45 s", async () => {
    const { options, received, clock } = await startEndpoint({ fault: "cut" });
    const sleep = (ms: number, signal: AbortSignal) => clock.sleep(ms + 45_000, signal);
    const call = sdk.refresh({ ...options, refreshToken: "r", clock: { ...clock, now: clock.now, sleep } });
    await expect(call).rejects.toBeInstanceOf(sdk.ConnectionError);
    expect(received).toHaveLength(2);
  });

  test("revoke, whose answer is empty, and which may be repeated", async () => {
    const { options, received } = await startEndpoint({ fault: "cut" }, { status: 200 });
    expect(await sdk.revoke({ ...options, token: "t" })).toBeUndefined();
    expect(received.map(({ url }) => url)).toEqual(["/api/oauth/revoke", "/api/oauth/revoke"]);
    expect(received[0]?.body).toEqual({ token: "t", client_id: "client", client_secret: "secret" });
  });

  test("a signal", async () => {
    const { options, received } = await startEndpoint(tokenAnswer(1));
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
  ])("%i %s (specification §5.5)", async (status, code, type) => {
    const { options } = await startEndpoint(refusal(status, code));
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

test("toTokens", () => {
  const response = tokenAnswer(1).body as sdk.TokenResponse;
  expect(sdk.toTokens(response, 1000)).toEqual({
    accessToken: "parley_at_1",
    refreshToken: "parley_rt_1",
    expiresAt: 3_601_000,
  });
  expect(sdk.toTokens(response).expiresAt).toBeGreaterThan(Date.now());
});
