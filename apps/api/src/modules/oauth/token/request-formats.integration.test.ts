import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  basic,
  client,
  form,
  json,
  type OAuthFixture,
  pkce,
  redirectUri,
  startOAuthFixture,
  type Tokens,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

describe.each<[string, (grant: Record<string, string>) => RequestInit]>([
  ["a form and HTTP Basic (n8n, Auth.js)", (grant) => ({ ...form(grant), headers: basic(client) })],
  [
    "a form with its ID in addition to HTTP Basic",
    (grant) => ({ ...form({ ...grant, client_id: client.client_id }), headers: basic(client) }),
  ],
  ["a form with its credentials (Zapier, Make, Passport)", (grant) => form({ ...grant, ...client })],
  ["JSON with its credentials (the reference's examples)", (grant) => json({ ...grant, ...client })],
])("a client that sends %s", (_name, request) => {
  test("exchanges its code, calls the API, refreshes and calls again", async () => {
    const { verifier, challenge } = pkce();
    const url = `${fixture.url}/api/oauth/token`;
    const grant = { grant_type: "authorization_code", redirect_uri: redirectUri, code_verifier: verifier };
    const code = await fixture.code(challenge);
    const first = (await (await fixture.fetch(url, request({ ...grant, code }))).json()) as Tokens;
    expect(await fixture.statusOf(first.access_token)).toBe(200);
    const { refresh_token } = first;
    const refresh = { grant_type: "refresh_token", refresh_token };
    const second = (await (await fixture.fetch(url, request(refresh))).json()) as Tokens;
    expect(await fixture.statusOf(second.access_token)).toBe(200);
    expect(second.refresh_token).not.toBe(refresh_token);
  });
});
