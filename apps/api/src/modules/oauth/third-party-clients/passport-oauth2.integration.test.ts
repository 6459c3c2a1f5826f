import OAuth2Strategy from "passport-oauth2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, locationOf, type OAuthFixture, redirectUri, startOAuthFixture } from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Passport leaves refreshing to the app, which uses the strategy's protected client (as passport-oauth2-refresh does). */
class ParleyStrategy extends OAuth2Strategy {
  constructor(url: string) {
    super(
      {
        authorizationURL: `${url}/api/oauth/authorize`,
        tokenURL: `${url}/api/oauth/token`,
        clientID: client.client_id,
        clientSecret: client.client_secret,
        callbackURL: redirectUri,
        scope: ["leads:read", "tickets:read"],
        state: true,
        pkce: true,
      },
      (
        accessToken: string,
        refreshToken: string,
        _profile: unknown,
        verified: OAuth2Strategy.VerifyCallback,
      ) => verified(null, { accessToken, refreshToken }),
    );
  }

  refresh(refreshToken: string): Promise<Tokens> {
    return new Promise((resolve, reject) => {
      const parameters = { grant_type: "refresh_token" };
      this._oauth2.getOAuthAccessToken(refreshToken, parameters, (error, accessToken, newRefreshToken) => {
        if (error) reject(error);
        else resolve({ accessToken: accessToken ?? "", refreshToken: newRefreshToken ?? "" });
      });
    });
  }
}

/** Runs the strategy on one request as passport does: with the functions that receive its outcome. */
function authenticate(
  strategy: ParleyStrategy,
  request: object,
): Promise<{ redirect?: string; user?: Tokens }> {
  return new Promise((resolve, reject) => {
    const run = Object.create(strategy) as ParleyStrategy;
    run.redirect = (redirect) => resolve({ redirect });
    run.success = (user) => resolve({ user: user as unknown as Tokens });
    run.fail = (challenge) => reject(challenge);
    run.error = reject;
    run.authenticate(request as Parameters<OAuth2Strategy["authenticate"]>[0]);
  });
}

test("passport-oauth2 authorizes with state and PKCE, exchanges and refreshes", async () => {
  const strategy = new ParleyStrategy(fixture.url);
  const session = {};
  const { redirect = "" } = await authenticate(strategy, { session, query: {} });
  const callback = locationOf(await (await fixture.signedIn()).press("allow", redirect));
  const query = Object.fromEntries(callback.searchParams);

  const { user } = await authenticate(strategy, { session, query });
  expect(await fixture.statusOf(user?.accessToken ?? "")).toBe(200);

  const refreshed = await strategy.refresh(user?.refreshToken ?? "");
  expect(await fixture.statusOf(refreshed.accessToken)).toBe(200);
  expect(refreshed.refreshToken).not.toBe(user?.refreshToken);
  await expect(strategy.refresh("x")).rejects.toMatchObject({ statusCode: 400 });
});
