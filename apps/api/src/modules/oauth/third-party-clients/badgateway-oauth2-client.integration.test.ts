import { generateCodeVerifier, OAuth2Client } from "@badgateway/oauth2-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  client,
  locationOf,
  type OAuthFixture,
  publicClient,
  publicRedirectUri,
  redirectUri,
  startOAuthFixture,
} from "../testing/fixture.ts";
import { registerClient } from "../testing/third-party-client.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

type Settings = Partial<ConstructorParameters<typeof OAuth2Client>[0]> & { clientId: string };
const credentials = { clientId: client.client_id, clientSecret: client.client_secret };

describe.each<[string, string, () => Promise<Settings> | Settings]>([
  ["the method that it discovers", redirectUri, () => credentials],
  [
    "its secret in the body",
    redirectUri,
    () => ({ ...credentials, authenticationMethod: "client_secret_post" }),
  ],
  [
    "HTTP Basic without form-encoding",
    "https://badgateway.example.com/callback",
    async () => ({
      ...(await registerClient(fixture.db, "https://badgateway.example.com/callback")),
      authenticationMethod: "client_secret_basic_interop",
    }),
  ],
  ["no secret", publicRedirectUri, () => ({ clientId: publicClient.client_id })],
])("@badgateway/oauth2-client with %s", (_name, redirectUri, settings) => {
  test("discovers, authorizes with PKCE, exchanges, refreshes and revokes", async () => {
    const oauth = new OAuth2Client({
      server: fixture.url,
      ...(await settings()),
      fetch: fixture.fetch as typeof fetch,
    });
    const codeVerifier = await generateCodeVerifier();
    const state = "a state";
    const page = await oauth.authorizationCode.getAuthorizeUri({
      redirectUri,
      state,
      codeVerifier,
      scope: ["leads:read", "tickets:read"],
    });
    const callback = locationOf(await (await fixture.signedIn()).press("allow", page));

    const exchange = { redirectUri, state, codeVerifier };
    const tokens = await oauth.authorizationCode.getTokenFromCodeRedirect(callback, exchange);
    expect(tokens).toMatchObject({
      scope: ["leads:read", "tickets:read"],
      extraParams: { api_base_url: fixture.url },
    });

    const refreshed = await oauth.refreshToken(tokens, { scope: ["leads:read"] });
    expect(refreshed.scope).toEqual(["leads:read"]);
    expect(await fixture.statusOf(refreshed.accessToken)).toBe(200);

    await oauth.revoke(refreshed, "refresh_token");
    await fixture.refused(refreshed.accessToken);
    await expect(oauth.refreshToken(refreshed)).rejects.toMatchObject({ oauth2Code: "invalid_grant" });
  });
});
