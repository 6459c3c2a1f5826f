import { createHash, randomBytes } from "node:crypto";
import { cheapHash, type Database, hashPassword, hashToken } from "@parley/database";
import { expect, vi } from "vitest";
import { startApi, type TestApi } from "../../../testing/api-server.ts";
import { TestBrowser } from "./browser.ts";

export const password = "correct horse battery staple";
const passwordHash = hashPassword(password, cheapHash);
export const client = {
  client_id: "protocol-client",
  client_secret: "s%cret: 100 + 1&2", // Must be form-encoded in HTTP Basic.
};
export const redirectUri = "https://app.example.com/callback?tenant=7";
export const secondClient = { client_id: "second-client", client_secret: "another-secret" };

/** Public client, in a browser or on a device. */
export const publicClient = { client_id: "public-client" };
export const publicRedirectUri = "https://browser.example.com/callback";

/** The server with three clients and a user of the Pro plan. */
export interface OAuthFixture extends TestApi {
  email: string;
  userId: string;
  organizationId: string;
  /** Returns the URL of the authorization page; null omits a parameter. */
  page(parameters?: Record<string, string | null>): string;
  /** Returns a browser in which the user is signed in. */
  signedIn(): Promise<TestBrowser>;
  /** Signs in, consents and returns the code. */
  code(parameters?: Record<string, string | null>): Promise<string>;
  /** Posts a form to the token endpoint. */
  send(fields: Record<string, string>): Promise<Response>;
  /** Posts a form with the client's credentials to the token endpoint. */
  token(fields: Record<string, string>): Promise<Response>;
  exchange(code: string, fields?: Record<string, string>): Promise<Response>;
  refresh(refreshToken: string, fields?: Record<string, string>): Promise<Response>;
  tokens(parameters?: Record<string, string | null>): Promise<Tokens>;
  /** Returns the status of an API request with the access token. */
  statusOf(accessToken: string): Promise<number>;
  /** Resolves when the API rejects a token that it accepted before. */
  refused(accessToken: string): Promise<void>;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** Starts the server with its clients and user. */
export async function startOAuthFixture(
  overrides: Parameters<typeof startApi>[0] = {},
): Promise<OAuthFixture> {
  const api = await startApi(overrides);
  await register(api.db, client, [
    redirectUri,
    "http://127.0.0.1/callback",
    "http://localhost:3000/callback",
  ]);
  await register(api.db, secondClient, ["https://second.example.com/callback"]);
  await register(api.db, publicClient, [publicRedirectUri, "http://127.0.0.1/callback"], { isPublic: true });
  const { email, id: userId, organizationId } = await createUser(api.db);

  const fixture: OAuthFixture = {
    ...api,
    email,
    userId,
    organizationId,
    page(parameters = {}) {
      const defaults = { response_type: "code", client_id: client.client_id, redirect_uri: redirectUri };
      const all = { ...defaults, scope: "leads:read webhooks:manage", state: "st&te=1", ...parameters };
      const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
      return `${api.url}/api/oauth/authorize?${new URLSearchParams(given)}`;
    },
    signedIn: () => signIn(fixture, email),
    async code(parameters) {
      const response = await (await fixture.signedIn()).press("allow", fixture.page(parameters));
      return locationOf(response).searchParams.get("code") ?? "";
    },
    send: (fields) => api.fetch(`${api.url}/api/oauth/token`, form(fields)),
    token: (fields) => fixture.send({ ...client, ...fields }),
    exchange: (code, fields = {}) =>
      fixture.token({ grant_type: "authorization_code", code, redirect_uri: redirectUri, ...fields }),
    refresh: (refresh_token, fields = {}) =>
      fixture.token({ grant_type: "refresh_token", refresh_token, ...fields }),
    async tokens(parameters) {
      return (await (await fixture.exchange(await fixture.code(parameters))).json()) as Tokens;
    },
    async statusOf(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await api.fetch(`${api.url}/api/v1/me`, { headers })).status;
    },
    async refused(accessToken) {
      await vi.waitFor(async () => expect(await fixture.statusOf(accessToken)).toBe(401), {
        timeout: 30_000,
      });
    },
  };
  return fixture;
}

/** Signs a user in; the password is `password`. */
export async function signIn(
  fixture: OAuthFixture,
  email: string,
  page = fixture.page(),
): Promise<TestBrowser> {
  const browser = new TestBrowser(fixture.fetch);
  await browser.press("sign_in", page, { email, password });
  return browser;
}

/** Creates a user in a new organization; the password is `password`. */
export async function createUser(
  db: Database,
  plan = "pro",
): Promise<{ id: string; email: string; organizationId: string }> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const user = { email, name: "Uma <User>", passwordHash: await passwordHash, role: "admin" };
  const { users, id: organizationId } = await db.organization.create({
    data: { name: "Umbrella & Sons", plan, users: { create: user } },
    include: { users: true },
  });
  return { id: users[0]?.id ?? "", email, organizationId };
}

/** Registers a client. Without a secret it is public only if `isPublic` is set. */
export async function register(
  db: Database,
  { client_id: id, client_secret }: { client_id: string; client_secret?: string },
  redirectUris: string[],
  more: { isPublic?: boolean; organizationId?: string } = {},
): Promise<void> {
  const secrets = { create: client_secret === undefined ? [] : { secretHash: hashToken(client_secret) } };
  await db.oAuthClient.create({ data: { id, name: `App <b>${id}</b>`, redirectUris, secrets, ...more } });
}

/** Returns a request with a form body. */
export function form(fields: Record<string, string>): RequestInit {
  return { method: "POST", body: new URLSearchParams(fields) };
}

/** Returns the `Location` of a redirect. */
export function locationOf(response: Response): URL {
  return new URL(response.headers.get("location") ?? "about:blank", response.url || "http://127.0.0.1");
}

/** Returns a verifier and its challenge as parameters of an authorization request, RFC 7636 section 4. */
export function pkce(verifier = randomBytes(32).toString("base64url")) {
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  return { verifier, challenge: { code_challenge, code_challenge_method: "S256" } };
}

/** Returns HTTP Basic with form-encoded ID and secret, RFC 6749 section 2.3.1. */
export function basic({ client_id, client_secret = "" }: { client_id: string; client_secret?: string }) {
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return { authorization: `Basic ${btoa(`${encode(client_id)}:${encode(client_secret)}`)}` };
}

/** Returns a request with a JSON body. */
export function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const type = { "content-type": "application/json" };
  return { method: "POST", headers: { ...type, ...headers }, body: JSON.stringify(body) };
}

/** Returns status and error code, for example `400 invalid_grant`. */
export async function errorOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: string };
  return `${response.status} ${error}`;
}
