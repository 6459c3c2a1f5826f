import { hashToken } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  basic,
  client,
  errorOf,
  form,
  json,
  locationOf,
  type OAuthFixture,
  pkce,
  publicClient,
  publicRedirectUri,
  startOAuthFixture,
  type Tokens,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const asked = { ...publicClient, redirect_uri: publicRedirectUri };

async function exchangeable() {
  const { verifier, challenge } = pkce();
  const code = await fixture.code({ ...asked, ...challenge });
  const grant = { grant_type: "authorization_code", code, redirect_uri: publicRedirectUri };
  return { ...grant, code_verifier: verifier };
}

async function tokens(): Promise<Tokens> {
  return (await (await fixture.send({ ...(await exchangeable()), ...publicClient })).json()) as Tokens;
}

describe("a public client", () => {
  test("must use PKCE", async () => {
    const location = locationOf(await (await fixture.signedIn()).get(fixture.page(asked)));
    expect(location.origin).toBe("https://browser.example.com");
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: "invalid_request",
      error_description: "The app has no secret, so it must use PKCE: code_challenge is missing.",
      state: "st&te=1",
      iss: fixture.url,
    });
  });

  test.each([
    ["a form", (fields: object) => form({ ...fields, ...publicClient } as Record<string, string>)],
    ["JSON", (fields: object) => json({ ...fields, ...publicClient })],
    ["HTTP Basic with an empty password", (fields: object) => json(fields, basic(publicClient))],
    ["an empty client_secret", (fields: object) => json({ ...fields, ...publicClient, client_secret: "" })],
  ])("sends its ID in %s, gets tokens and rotates them", async (_name, request) => {
    const url = `${fixture.url}/api/oauth/token`;
    const first = (await (await fixture.fetch(url, request(await exchangeable()))).json()) as Tokens;
    expect(await fixture.statusOf(first.access_token)).toBe(200);
    const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token };
    const second = (await (await fixture.fetch(url, request(refresh))).json()) as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await fixture.statusOf(second.access_token)).toBe(200);
  });

  test("loses its grant if a rotated refresh token is reused after the retry window", async () => {
    const first = await tokens();
    const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token, ...publicClient };
    const second = (await (await fixture.send(refresh)).json()) as Tokens;
    await fixture.db.oAuthToken.update({
      where: { tokenHash: hashToken(first.refresh_token) },
      data: { rotatedAt: new Date(Date.now() - 61_000) },
    });
    expect(await errorOf(await fixture.send(refresh))).toBe("400 invalid_grant");
    expect(await fixture.statusOf(second.access_token)).toBe(401);
  });

  test("revokes its tokens", async () => {
    const { access_token, refresh_token } = await tokens();
    const request = form({ token: refresh_token, ...publicClient });
    expect((await fixture.fetch(`${fixture.url}/api/oauth/revoke`, request)).status).toBe(200);
    expect(await fixture.statusOf(access_token)).toBe(401);
  });

  test("requires consent each time, because any app can use its client ID", async () => {
    const { challenge } = pkce();
    const browser = await fixture.signedIn();
    for (let time = 0; time < 2; time += 1) {
      expect((await browser.get(fixture.page({ ...asked, ...challenge }))).status).toBe(200);
      const response = await browser.press("allow", fixture.page({ ...asked, ...challenge }));
      expect(locationOf(response).searchParams.has("code")).toBe(true);
    }
  });

  test("is rejected with a secret", async () => {
    const url = `${fixture.url}/api/oauth/token`;
    const credentials = { ...publicClient, client_secret: client.client_secret };
    const grant = await exchangeable();
    const inBody = await fixture.send({ ...grant, ...credentials });
    expect(inBody.headers.get("www-authenticate")).toBeNull();
    expect(await inBody.json()).toEqual({
      error: "invalid_client",
      error_description: "This app is a public client. Do not send a client_secret.",
    });
    const inHeader = await fixture.fetch(url, json(grant, basic(credentials)));
    expect(inHeader.headers.get("www-authenticate")).toBe('Basic realm="parley"');
    expect(await errorOf(inHeader)).toBe("401 invalid_client");
    expect((await fixture.send({ ...grant, ...publicClient })).status).toBe(200); // Nothing was used up.
  });

  test("cannot exchange the code of a confidential client, and a confidential client cannot exchange its code", async () => {
    const code = await fixture.code();
    const stolen = { grant_type: "authorization_code", code, redirect_uri: publicRedirectUri };
    expect(await errorOf(await fixture.send({ ...stolen, ...publicClient }))).toBe("400 invalid_grant");
    expect(await errorOf(await fixture.send({ ...(await exchangeable()), ...client }))).toBe(
      "400 invalid_grant",
    );
  });
});

test("a confidential client is rejected without its secret, in the body and in HTTP Basic", async () => {
  const grant = { grant_type: "refresh_token", refresh_token: "x" };
  const { client_id } = client;
  expect(await errorOf(await fixture.send({ ...grant, client_id }))).toBe("400 invalid_request");
  const request = json(grant, basic({ client_id }));
  expect(await errorOf(await fixture.fetch(`${fixture.url}/api/oauth/token`, request))).toBe(
    "401 invalid_client",
  );
});

test("the metadata lists the authentication method none", async () => {
  const response = await fixture.fetch(`${fixture.url}/.well-known/oauth-authorization-server`);
  const methods = ["client_secret_basic", "client_secret_post", "none"];
  expect(await response.json()).toMatchObject({
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
  });
});

test("a page of another origin can read the responses of the token endpoint", async () => {
  const { verifier, challenge } = pkce();
  const grant = {
    grant_type: "authorization_code",
    redirect_uri: publicRedirectUri,
    code_verifier: verifier,
  };
  const request = form({ ...grant, ...publicClient, code: await fixture.code({ ...asked, ...challenge }) });
  const headers = { origin: "https://browser.example.com" };
  const response = await fixture.fetch(`${fixture.url}/api/oauth/token`, { ...request, headers });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
});
