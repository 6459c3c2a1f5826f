import { Auth, type AuthConfig, skipCSRFCheck } from "@auth/core";
import type { OAuthConfig } from "@auth/core/providers";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  client,
  form,
  locationOf,
  type OAuthFixture,
  register,
  startOAuthFixture,
  type Tokens,
} from "../testing/fixture.ts";

const origin = "https://auth-js.example.com";
const credentials = { client_id: "auth-js", client_secret: `${client.client_secret} of Auth.js` };

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
  await register(fixture.db, credentials, [`${origin}/auth/callback/parley`]);
});
afterAll(() => fixture.close());

interface Me {
  data: { id: string; attributes: { user: { id: string; name: string; email: string } } };
}

function provider(): OAuthConfig<Me> {
  return {
    id: "parley",
    name: "Parley",
    type: "oauth",
    issuer: fixture.url, // Auth.js compares it with `iss` of the authorization response, RFC 9207.
    clientId: credentials.client_id,
    clientSecret: credentials.client_secret,
    checks: ["pkce", "state"],
    authorization: {
      url: `${fixture.url}/api/oauth/authorize`,
      params: { scope: "leads:read tickets:read" },
    },
    token: `${fixture.url}/api/oauth/token`,
    userinfo: `${fixture.url}/api/v1/me`,
    profile: ({ data }) => data.attributes.user,
  };
}

/** Refreshes as the Auth.js guide to refresh token rotation does. */
async function refresh(refresh_token: string): Promise<Tokens> {
  const grant = { grant_type: "refresh_token", refresh_token, ...credentials };
  return (await (await fetch(`${fixture.url}/api/oauth/token`, form(grant))).json()) as Tokens;
}

/** An app that keeps the tokens in its session and refreshes them whenever the session is read. */
class App {
  readonly #cookies = new Map<string, string>();
  readonly #config: AuthConfig = {
    basePath: "/auth",
    secret: "a secret of the app that is long enough",
    trustHost: true,
    skipCSRFCheck,
    providers: [provider()],
    logger: { error: (error) => this.errors.push(error) },
    callbacks: {
      async jwt({ token, account }) {
        if (account) return { ...token, refresh_token: account.refresh_token };
        return { ...token, ...(await refresh(String(token["refresh_token"]))) };
      },
      session: ({ session, token }) => ({ ...session, access_token: token["access_token"] }),
    },
  };
  readonly errors: Error[] = [];

  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(url, { ...init, headers: { cookie } });
    const response = await Auth(request, this.#config);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

test("Auth.js signs in with state and PKCE, reads the user, and refreshes", async () => {
  const app = new App();
  const start = await app.request(`${origin}/auth/signin/parley`, form({}));
  const callback = locationOf(await (await fixture.signedIn()).press("allow", locationOf(start).href));
  await app.request(callback.href);
  expect(app.errors).toEqual([]);

  const session = await (await app.request(`${origin}/auth/session`)).json();
  expect(session).toMatchObject({ user: { email: fixture.email } });
  expect(await fixture.statusOf((session as Tokens).access_token)).toBe(200);
});
