import * as openid from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  client,
  locationOf,
  type OAuthFixture,
  publicClient,
  publicRedirectUri,
  startOAuthFixture,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

/** openid-client wants a redirect URI without a query. */
const loopback = "http://127.0.0.1:7999/callback";

/** openid-client is strict: it verifies state, iss and every response. */
describe.each<[string, string, openid.ClientAuth, string]>([
  ["its secret by HTTP Basic", client.client_id, openid.ClientSecretBasic(client.client_secret), loopback],
  ["its secret in the body", client.client_id, openid.ClientSecretPost(client.client_secret), loopback],
  ["no secret", publicClient.client_id, openid.None(), publicRedirectUri],
])("openid-client with %s", (_name, clientId, authentication, redirect_uri) => {
  const discover = () =>
    openid.discovery(new URL(fixture.url), clientId, undefined, authentication, {
      algorithm: "oauth2",
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: (url, init) => fixture.fetch(url, init as RequestInit),
    });

  test("discovers, authorizes, exchanges, calls, refreshes and revokes", async () => {
    const config = await discover();
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const page = openid.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: "leads:read",
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const callback = locationOf(await (await fixture.signedIn()).press("allow", page.href));
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    expect(tokens).toMatchObject({ expires_in: 3600, scope: "leads:read" });

    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    const me = new URL(`${fixture.url}/api/v1/me`);
    const response = await openid.fetchProtectedResource(config, refreshed.access_token, me, "GET");
    expect(response.status).toBe(200);
    await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
    await fixture.refused(refreshed.access_token);
  });
});
