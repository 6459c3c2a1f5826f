import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  locationOf,
  type OAuthFixture,
  redirectUri,
  client as registered,
  startOAuthFixture,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const options = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (url: string, init: object) => fixture.fetch(url, init),
};

async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(fixture.url);
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** A client that refuses whatever the RFCs do not allow, as an independent judge. */
describe.each([
  ["HTTP Basic", oauth.ClientSecretBasic],
  ["the body", oauth.ClientSecretPost],
])("oauth4webapi with its secret in %s", (_name, authentication) => {
  test("discovers, authorizes with PKCE, exchanges, refreshes and revokes", async () => {
    const server = await discover();
    const client: oauth.Client = { client_id: registered.client_id };
    const secret = authentication(registered.client_secret);

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const page = new URL(server.authorization_endpoint ?? "");
    page.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "tickets:read leads:read",
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString();
    const callback = locationOf(await (await fixture.signedIn()).press("allow", page.href));

    const response = oauth.validateAuthResponse(server, client, callback, state);
    const codeAnswer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      response,
      redirectUri,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, codeAnswer);
    expect(tokens).toMatchObject({
      token_type: "bearer",
      expires_in: 3600,
      scope: "leads:read tickets:read",
    });

    const refreshAnswer = await oauth.refreshTokenGrantRequest(
      server,
      client,
      secret,
      tokens.refresh_token ?? "",
      options,
    );
    const refreshed = await oauth.processRefreshTokenResponse(server, client, refreshAnswer);
    const me = new URL(`${fixture.url}/api/v1/me`);
    const used = await oauth.protectedResourceRequest(
      refreshed.access_token,
      "GET",
      me,
      undefined,
      null,
      options,
    );
    expect(used.status).toBe(200);

    const revocation = await oauth.revocationRequest(
      server,
      client,
      secret,
      refreshed.refresh_token ?? "",
      options,
    );
    await oauth.processRevocationResponse(revocation);
    await fixture.refused(refreshed.access_token);
  });

  test("parses the errors of the token endpoint and the revocation endpoint", async () => {
    const server = await discover();
    const client: oauth.Client = { client_id: registered.client_id };

    const denied = locationOf(await (await fixture.signedIn()).press("deny", fixture.page({ state: "s" })));
    expect(() => oauth.validateAuthResponse(server, client, denied, "s")).toThrow(
      expect.objectContaining({ error: "access_denied" }),
    );
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication("wrong"),
      "x",
      options,
    );
    await expect(oauth.processRefreshTokenResponse(server, client, response)).rejects.toMatchObject({
      status: 401,
    });
  });
});

test("the metadata lists the supported features", async () => {
  const response = await fixture.fetch(`${fixture.url}/.well-known/oauth-authorization-server`);
  expect(await response.json()).toMatchObject({
    issuer: fixture.url,
    token_endpoint: `${fixture.url}/api/oauth/token`,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
});
