import { AuthorizationCode } from "simple-oauth2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { client, locationOf, type OAuthFixture, redirectUri, startOAuthFixture } from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

/** simple-oauth2 parses every response as JSON, including that of a revocation. */
describe.each(["header", "body"] as const)(
  "simple-oauth2 with its credentials in the %s",
  (authorizationMethod) => {
    test.each(["form", "json"] as const)(
      "and %s bodies authorizes, exchanges, refreshes and revokes",
      async (bodyFormat) => {
        const oauth = new AuthorizationCode({
          client: { id: client.client_id, secret: client.client_secret },
          auth: {
            tokenHost: fixture.url,
            tokenPath: "/api/oauth/token",
            revokePath: "/api/oauth/revoke",
            authorizePath: "/api/oauth/authorize",
          },
          options: { authorizationMethod, bodyFormat },
        });
        const page = oauth.authorizeURL({ redirect_uri: redirectUri, scope: "leads:read", state: "s" });
        const { searchParams } = locationOf(await (await fixture.signedIn()).press("allow", page));
        const granted = await oauth.getToken({
          code: searchParams.get("code") ?? "",
          redirect_uri: redirectUri,
        });
        expect(granted.expired()).toBe(false);

        const refreshed = await granted.refresh();
        expect(refreshed.token).toMatchObject({ token_type: "Bearer", scope: "leads:read" });
        const accessToken = String(refreshed.token["access_token"]);
        expect(await fixture.statusOf(accessToken)).toBe(200);

        await refreshed.revokeAll();
        await fixture.refused(accessToken);
        await expect(refreshed.refresh()).rejects.toMatchObject({
          data: { payload: { error: "invalid_grant" } },
        });
      },
    );
  },
);
