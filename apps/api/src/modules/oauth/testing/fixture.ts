import { createHash, randomBytes } from "node:crypto";
import { type Database, hashPassword, hashToken } from "@parley/database";
import { expect, vi } from "vitest";
import { startApi, type TestApi } from "../../../../test/kit.ts";
import { TestBrowser } from "./browser.ts";

export const password = "correct horse battery staple";
export const client = {
  client_id: "protocol-client",
  client_secret: "s%cret: 100 + 1&2", // needs the form-encoding that HTTP Basic asks for
};
export const redirectUri = "https://app.example.com/callback?tenant=7";
export const secondClient = { client_id: "second-client", client_secret: "another-secret" };

/** An app without a secret, in a browser or on a device. */
export const publicClient = { client_id: "public-client" };
export const publicRedirectUri = "https://browser.example.com/callback";

/** The real server with three clients and a user of the Pro plan. */
export interface Scene extends TestApi {
  email: string;
  userId: string;
  organizationId: string;
  /** The address of the authorization page; null leaves a parameter out. */
  page(parameters?: Record<string, string | null>): string;
  signedIn(): Promise<TestBrowser>;
  /** Signs in, agrees and returns the code. */
  code(parameters?: Record<string, string | null>): Promise<string>;
  /** Posts a form to the token endpoint as it is. */
  send(fields: Record<string, string>): Promise<Response>;
  /** Posts a form to the token endpoint; the client's credentials are added. */
  token(fields: Record<string, string>): Promise<Response>;
  exchange(code: string, fields?: Record<string, string>): Promise<Response>;
  refresh(refreshToken: string, fields?: Record<string, string>): Promise<Response>;
  tokens(parameters?: Record<string, string | null>): Promise<Tokens>;
  /** The status with which the API takes an access token. */
  statusOf(accessToken: string): Promise<number>;
  /** Resolves when the API refuses an access token that it took before, which may take 5 seconds. */
  refused(accessToken: string): Promise<void>;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

export async function startScene(overrides: Parameters<typeof startApi>[0] = {}): Promise<Scene> {
  const api = await startApi(overrides);
  await register(api.db, client, [
    redirectUri,
    "http://127.0.0.1/callback",
    "http://localhost:3000/callback",
  ]);
  await register(api.db, secondClient, ["https://second.example.com/callback"]);
  await register(api.db, publicClient, [publicRedirectUri, "http://127.0.0.1/callback"], { isPublic: true });
  const { email, id: userId, organizationId } = await createUser(api.db);

  const scene: Scene = {
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
    signedIn: () => signIn(scene, email),
    async code(parameters) {
      const answer = await (await scene.signedIn()).press("allow", scene.page(parameters));
      return locationOf(answer).searchParams.get("code") ?? "";
    },
    send: (fields) => api.fetch(`${api.url}/api/oauth/token`, form(fields)),
    token: (fields) => scene.send({ ...client, ...fields }),
    exchange: (code, fields = {}) =>
      scene.token({ grant_type: "authorization_code", code, redirect_uri: redirectUri, ...fields }),
    refresh: (refresh_token, fields = {}) =>
      scene.token({ grant_type: "refresh_token", refresh_token, ...fields }),
    async tokens(parameters) {
      return (await (await scene.exchange(await scene.code(parameters))).json()) as Tokens;
    },
    async statusOf(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await api.fetch(`${api.url}/api/v1/me`, { headers })).status;
    },
    async refused(accessToken) {
      await vi.waitFor(async () => expect(await scene.statusOf(accessToken)).toBe(401), { timeout: 5_000 });
    },
  };
  return scene;
}

/** Signs a user in; the password is `password`. */
export async function signIn(scene: Scene, email: string, page = scene.page()): Promise<TestBrowser> {
  const browser = new TestBrowser(scene.fetch);
  await browser.press("sign_in", page, { email, password });
  return browser;
}

/** A user of an organization of its own; the password is `password`. */
export async function createUser(
  db: Database,
  plan = "pro",
): Promise<{ id: string; email: string; organizationId: string }> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const user = { email, name: "Uma <User>", passwordHash: await hashPassword(password) };
  const { users, id: organizationId } = await db.organization.create({
    data: { name: "Umbrella & Sons", plan, users: { create: user } },
    include: { users: true },
  });
  return { id: users[0]?.id ?? "", email, organizationId };
}

/** Registers an app; one without secret is public only when it says so. */
export async function register(
  db: Database,
  { client_id: id, client_secret }: { client_id: string; client_secret?: string },
  redirectUris: string[],
  more: { isPublic?: boolean; organizationId?: string } = {},
): Promise<void> {
  const secrets = { create: client_secret === undefined ? [] : { secretHash: hashToken(client_secret) } };
  await db.oAuthClient.create({ data: { id, name: `App <b>${id}</b>`, redirectUris, secrets, ...more } });
}

export function form(fields: Record<string, string>): RequestInit {
  return { method: "POST", body: new URLSearchParams(fields) };
}

export function locationOf(response: Response): URL {
  return new URL(response.headers.get("location") ?? "about:blank", response.url || "http://127.0.0.1");
}

/** RFC 7636: a verifier and its challenge, as the parameters of an authorization request. */
export function pkce(verifier = randomBytes(32).toString("base64url")) {
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  return { verifier, challenge: { code_challenge, code_challenge_method: "S256" } };
}

/** HTTP Basic as RFC 6749 section 2.3.1 wants it: both halves form-encoded. */
export function basic({ client_id, client_secret = "" }: { client_id: string; client_secret?: string }) {
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return { authorization: `Basic ${btoa(`${encode(client_id)}:${encode(client_secret)}`)}` };
}

/** A request with a JSON body. */
export function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const type = { "content-type": "application/json" };
  return { method: "POST", headers: { ...type, ...headers }, body: JSON.stringify(body) };
}

/** `invalid_grant`, …, together with the status: `400 invalid_grant`. */
export async function errorOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: string };
  return `${response.status} ${error}`;
}
