import { createPkce } from "@parley/sdk";
import { allowAccess } from "@parley/standalone/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authentication } from "../src/authentication.ts";
import { startZapierFixture, type ZapierFixture } from "../src/testing/zapier-fixture.ts";

let fixture: ZapierFixture;
beforeAll(async () => {
  fixture = await startZapierFixture();
});
afterAll(() => fixture.stop());

const { oauth2Config, test: testConnection, connectionLabel } = authentication;
const redirect_uri = "http://127.0.0.1:53682/callback";

interface Tokens {
  access_token: string;
  refresh_token: string;
  api_base_url: string;
}

/** Returns what Zapier has after the user allowed access. Zapier adds the challenge, because `enablePkce` is set. */
async function authorize(): Promise<{ code: string | null; codeVerifier: string }> {
  expect(oauth2Config?.enablePkce).toBe(true);
  const { codeVerifier, codeChallenge } = await createPkce();
  const inputData = { redirect_uri, state: "zap" };
  const page = new URL(await fixture.run<string>(oauth2Config?.authorizeUrl, { inputData }));
  page.searchParams.set("code_challenge", codeChallenge);
  page.searchParams.set("code_challenge_method", "S256");
  const { searchParams } = await allowAccess(page.href);
  expect(searchParams.get("state")).toBe("zap");
  return { code: searchParams.get("code"), codeVerifier };
}

test("authorizes with PKCE, tests and labels the connection, refreshes, and uses the new tokens", async () => {
  const { code, codeVerifier } = await authorize();
  const inputData = { redirect_uri, code, code_verifier: codeVerifier };
  const granted = await fixture.run<Tokens>(oauth2Config?.getAccessToken, { inputData });
  expect(granted.api_base_url).toBe(fixture.url);

  const me = await fixture.run(testConnection, { authData: granted });
  expect(me).toEqual({ organization: "Pro Properties", email: "pro@demo.parley.dev" });
  expect(await fixture.run(connectionLabel, { authData: granted, inputData: me })).toBe(
    "Pro Properties (pro@demo.parley.dev)",
  );

  const refreshed = await fixture.run<Tokens>(oauth2Config?.refreshAccessToken, { authData: granted });
  expect(refreshed.refresh_token).not.toBe(granted.refresh_token);
  // Zapier merges the response into the stored data.
  const kept = { ...granted, ...refreshed };
  expect(await fixture.run(testConnection, { authData: kept })).toEqual(me);
  const again = await fixture.run<Tokens>(oauth2Config?.refreshAccessToken, { authData: kept });
  expect(again.refresh_token).not.toBe(kept.refresh_token);
});

test("rejects a wrong verifier", async () => {
  const { code } = await authorize();
  const inputData = { redirect_uri, code, code_verifier: (await createPkce()).codeVerifier };
  await expect(fixture.run(oauth2Config?.getAccessToken, { inputData })).rejects.toThrow(/verifier/);
});

test("makes Zapier refresh an expired access token", async () => {
  const authData = { access_token: "parley_at_old", api_base_url: fixture.url };
  await expect(fixture.run(testConnection, { authData })).rejects.toMatchObject({ name: "RefreshAuthError" });
});

test("makes Zapier ask the user to connect again if the refresh token is expired", async () => {
  const authData = { refresh_token: "parley_rt_old" };
  await expect(fixture.run(oauth2Config?.refreshAccessToken, { authData })).rejects.toMatchObject({
    name: "ExpiredAuthError",
    message: expect.stringContaining("refresh token"),
  });
});

test("makes Zapier wait for Retry-After when the rate limit is exceeded", async () => {
  const headers = { authorization: `Bearer ${fixture.token}` };
  let retryAfter: string | null = null;
  for (let count = 0; count < 301 && retryAfter === null; count += 1)
    retryAfter = (await fetch(`${fixture.url}/api/v1/me`, { headers })).headers.get("retry-after");
  const error = await fixture.run(testConnection).catch((reason: Error) => reason);
  expect(error).toMatchObject({ name: "ThrottledError" });
  const { delay } = JSON.parse((error as Error).message);
  expect(delay).toBeGreaterThan(0);
  expect(delay).toBeLessThanOrEqual(Number(retryAfter));
});
