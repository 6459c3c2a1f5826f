import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } from "arctic";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  locationOf,
  type OAuthFixture,
  publicClient,
  publicRedirectUri,
  startOAuthFixture,
} from "../testing/fixture.ts";
import { registerClient } from "../testing/third-party-client.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const redirectUri = "https://arctic.example.com/login/callback";

/** arctic sends plain HTTP Basic, without the form-encoding of RFC 6749 section 2.3.1. */
describe.each<[string, () => Promise<OAuth2Client>]>([
  [
    "its secret by HTTP Basic",
    async () => {
      const { clientId, clientSecret } = await registerClient(fixture.db, redirectUri);
      return new OAuth2Client(clientId, clientSecret, redirectUri);
    },
  ],
  ["no secret", async () => new OAuth2Client(publicClient.client_id, null, publicRedirectUri)],
])("arctic with %s", (_name, createClient) => {
  test("authorizes with PKCE, exchanges, refreshes and revokes", async () => {
    const client = await createClient();
    const endpoint = (name: string) => `${fixture.url}/api/oauth/${name}`;
    const [state, verifier] = [generateState(), generateCodeVerifier()];
    const page = client.createAuthorizationURLWithPKCE(
      endpoint("authorize"),
      state,
      CodeChallengeMethod.S256,
      verifier,
      ["leads:read", "tickets:read"],
    );
    const { searchParams } = locationOf(await (await fixture.signedIn()).press("allow", page.href));
    expect(searchParams.get("state")).toBe(state);

    const code = searchParams.get("code") ?? "";
    const tokens = await client.validateAuthorizationCode(endpoint("token"), code, verifier);
    expect(tokens.scopes()).toEqual(["leads:read", "tickets:read"]);
    expect(tokens.accessTokenExpiresInSeconds()).toBe(3600);

    const refreshed = await client.refreshAccessToken(endpoint("token"), tokens.refreshToken(), [
      "leads:read",
    ]);
    expect(refreshed.scopes()).toEqual(["leads:read"]);
    expect(await fixture.statusOf(refreshed.accessToken())).toBe(200);

    await client.revokeToken(endpoint("revoke"), refreshed.refreshToken());
    await fixture.refused(refreshed.accessToken());
    await expect(
      client.refreshAccessToken(endpoint("token"), refreshed.refreshToken(), []),
    ).rejects.toMatchObject({ code: "invalid_grant" });
  });
});
