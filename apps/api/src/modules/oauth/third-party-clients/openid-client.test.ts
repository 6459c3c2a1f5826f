import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as openid from "openid-client";
import { AuthorizationCode } from "simple-oauth2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  basic,
  client,
  form,
  json,
  locationOf,
  pkce,
  publicClient,
  publicRedirectUri,
  redirectUri,
  type Scene,
  startScene,
  type Tokens,
} from "../testing/fixture.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

describe.each<[string, (grant: Record<string, string>) => RequestInit]>([
  ["a form and HTTP Basic (n8n, Passport)", (grant) => ({ ...form(grant), headers: basic(client) })],
  [
    "a form with its id beside HTTP Basic (Auth.js)",
    (grant) => ({ ...form({ ...grant, client_id: client.client_id }), headers: basic(client) }),
  ],
  ["a form with its credentials (Zapier, Make)", (grant) => form({ ...grant, ...client })],
  ["JSON with its credentials (the specification's)", (grant) => json({ ...grant, ...client })],
])("a client that sends %s", (_name, request) => {
  test("exchanges its code, calls the API, refreshes and calls again", async () => {
    const { verifier, challenge } = pkce();
    const url = `${scene.url}/api/oauth/token`;
    const grant = { grant_type: "authorization_code", redirect_uri: redirectUri, code_verifier: verifier };
    const code = await scene.code(challenge);
    const first = (await (await scene.fetch(url, request({ ...grant, code }))).json()) as Tokens;
    expect(await scene.statusOf(first.access_token)).toBe(200);
    const { refresh_token } = first;
    const refresh = { grant_type: "refresh_token", refresh_token };
    const second = (await (await scene.fetch(url, request(refresh))).json()) as Tokens;
    expect(await scene.statusOf(second.access_token)).toBe(200);
    expect(second.refresh_token).not.toBe(refresh_token);
  });
});

/** It wants a redirect URI without a query of its own. */
const loopback = "http://127.0.0.1:7999/callback";

/** openid-client, a second strict judge: it checks state, iss, PKCE and every answer by itself. */
describe.each<[string, string, openid.ClientAuth, string]>([
  ["its secret by HTTP Basic", client.client_id, openid.ClientSecretBasic(client.client_secret), loopback],
  ["its secret in the body", client.client_id, openid.ClientSecretPost(client.client_secret), loopback],
  ["no secret", publicClient.client_id, openid.None(), publicRedirectUri],
])("openid-client with %s", (_name, clientId, authentication, redirect_uri) => {
  const discover = () =>
    openid.discovery(new URL(scene.url), clientId, undefined, authentication, {
      algorithm: "oauth2",
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: (url, init) => scene.fetch(url, init as RequestInit),
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
    const callback = locationOf(await (await scene.signedIn()).press("allow", page.href));
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    expect(tokens).toMatchObject({ expires_in: 3600, scope: "leads:read" });

    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    const me = new URL(`${scene.url}/api/v1/me`);
    const answer = await openid.fetchProtectedResource(config, refreshed.access_token, me, "GET");
    expect(answer.status).toBe(200);
    await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
    await scene.refused(refreshed.access_token);
  });

  test("is told of a refusal, and of a token that is no longer good", async () => {
    const config = await discover();
    const asked = { client_id: clientId, redirect_uri, state: "s", ...pkce().challenge };
    const denied = locationOf(await (await scene.signedIn()).press("deny", scene.page(asked)));
    await expect(openid.authorizationCodeGrant(config, denied, { expectedState: "s" })).rejects.toMatchObject(
      { error: "access_denied" },
    );
    await expect(openid.refreshTokenGrant(config, "x")).rejects.toMatchObject({ error: "invalid_grant" });
  });
});

/** simple-oauth2 parses every answer as JSON, also that of a revocation. */
describe.each(["header", "body"] as const)(
  "simple-oauth2 with its credentials in the %s",
  (authorizationMethod) => {
    test.each(["form", "json"] as const)(
      "and %s bodies authorizes, exchanges, refreshes and revokes",
      async (bodyFormat) => {
        const oauth = new AuthorizationCode({
          client: { id: client.client_id, secret: client.client_secret },
          auth: {
            tokenHost: scene.url,
            tokenPath: "/api/oauth/token",
            revokePath: "/api/oauth/revoke",
            authorizePath: "/api/oauth/authorize",
          },
          options: { authorizationMethod, bodyFormat },
        });
        const page = oauth.authorizeURL({ redirect_uri: redirectUri, scope: "leads:read", state: "s" });
        const { searchParams } = locationOf(await (await scene.signedIn()).press("allow", page));
        const granted = await oauth.getToken({
          code: searchParams.get("code") ?? "",
          redirect_uri: redirectUri,
        });
        expect(granted.expired()).toBe(false);

        const refreshed = await granted.refresh();
        expect(refreshed.token).toMatchObject({ token_type: "Bearer", scope: "leads:read" });
        const accessToken = String(refreshed.token["access_token"]);
        expect(await scene.statusOf(accessToken)).toBe(200);

        await refreshed.revokeAll();
        await scene.refused(accessToken);
        await expect(refreshed.refresh()).rejects.toMatchObject({
          data: { payload: { error: "invalid_grant" } },
        });
      },
    );
  },
);

/** RFC 8252 section 7.3. */
describe("a native app that listens on a port of its own", () => {
  let app: Server;
  const callbacks: URL[] = [];
  beforeAll(async () => {
    app = createServer((request, response) => {
      callbacks.push(new URL(request.url ?? "", "http://127.0.0.1"));
      response.end("You may close this window.");
    }).listen(0, "127.0.0.1");
    await once(app, "listening");
  });
  afterAll(() => app.close());

  test("gets the code there, without a secret", async () => {
    const redirect_uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
    const { verifier, challenge } = pkce();
    const browser = await scene.signedIn();
    const page = scene.page({ ...publicClient, redirect_uri, ...challenge });
    expect(await (await browser.get(page)).text()).toContain("an app on this device");
    await fetch(locationOf(await browser.press("allow", page))); // As a browser follows the redirect.
    const code = callbacks[0]?.searchParams.get("code") ?? "";
    const grant = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
    const answer = await scene.send({ ...grant, ...publicClient });
    const { access_token } = (await answer.json()) as Tokens;
    expect(await scene.statusOf(access_token)).toBe(200);
  });
});

test("the answers of the token endpoint can be read by a page of another origin", async () => {
  const { verifier, challenge } = pkce();
  const asked = { ...publicClient, redirect_uri: publicRedirectUri, ...challenge };
  const grant = {
    grant_type: "authorization_code",
    redirect_uri: publicRedirectUri,
    code_verifier: verifier,
  };
  const request = form({ ...grant, ...publicClient, code: await scene.code(asked) });
  const headers = { origin: "https://browser.example.com" };
  const answer = await scene.fetch(`${scene.url}/api/oauth/token`, { ...request, headers });
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
});
