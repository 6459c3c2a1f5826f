import { createHash, randomUUID } from "node:crypto";
import { TestBrowser } from "@parley/api/testing";
import { conformingFetch } from "@parley/contract/testing";
import { cheapHash, createDatabase, type Database, hashPassword } from "@parley/database";
import { beforeAll, expect } from "vitest";
import { type Demo, startDemo } from "../../src/testing/demo.ts";

/** A resource object of the API. */
export interface Resource {
  id: string;
  type: string;
  attributes: Record<string, unknown>;
}

/** Response, with `data` and `meta` after a success, `error` and `error_description` after a failure. */
export interface ServiceResponse<Data> {
  status: number;
  headers: Headers;
  body: { data: Data; meta: Record<string, unknown>; error: string; error_description: string };
}

/** What the token endpoint returns. */
export interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Server of `npm start` with its own database. */
export interface Service extends Pick<Demo, "url" | "platformKey"> {
  /** Only for operations without an API: creating accounts, and moving rows back in time. */
  db: Database;
  /** Sends a request and parses the JSON of the response. Redirects are not followed. */
  send<Data = unknown>(method: string, path: string, options?: Sent): Promise<ServiceResponse<Data>>;
  createAccount(plan: string): Promise<Account>;
}

interface Sent {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** An organization with a user, and with the chatbots `bot` and `other-bot`. */
export interface Account {
  organizationId: string;
  /** Ids of its chatbots. */
  bot: string;
  otherBot: string;
  /** Opens the authorization page, allows, and returns the address to which the browser is redirected. */
  authorize(parameters?: Record<string, string>): Promise<URL>;
  /** Returns new tokens with these scopes; with every scope by default. */
  tokens(scope?: string): Promise<Tokens>;
  /** Sends a request with an access token that has every scope. */
  call<Data = Resource>(method: string, path: string, body?: unknown): Promise<ServiceResponse<Data>>;
  /** Writes records through the Platform API. Returns their IDs. */
  write(...items: Item[]): Promise<string[]>;
}

/** Kind, external id and state of a record. */
export type Item = readonly [type: string, externalId: string, attributes: object];

export const everyScope =
  "leads:read leads:write conversations:read conversations:write tickets:read tickets:write meetings:read webhooks:manage";
export const redirectUri = "http://127.0.0.1/callback";
export const demoClient = { client_id: "demo-client", client_secret: "demo-secret" };
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Returns the PKCE challenge of a verifier: the base64url-encoded SHA-256 digest. */
export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

const password = "a long password";
const passwordHash = hashPassword(password, cheapHash);

let service: Promise<Service> | undefined;

/** Returns the service, which all test files of a worker use until the worker ends. Each file creates its own accounts. */
export function sharedService(): Promise<Service> {
  service ??= startService();
  return service;
}

/**
 * Creates an account with the plan `business` before the tests of a file. The tests may use the returned objects, and hooks that are declared
 * later.
 */
export function useAccount(): { service: Service; account: Account } {
  const [service, account] = [{} as Service, {} as Account];
  beforeAll(async () => {
    Object.assign(service, await sharedService());
    Object.assign(account, await service.createAccount("business"));
  });
  return { service, account };
}

async function startService(): Promise<Service> {
  const demo = await startDemo();
  const db = createDatabase(demo.databaseUrl, { poolSize: 2 });

  const send: Service["send"] = async (method, path, { token, body, headers } = {}) => {
    const response = await fetch(`${demo.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/json\b/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };

  async function createAccount(plan: string): Promise<Account> {
    const email = `${randomUUID()}@example.com`;
    const user = { email, name: "Ada Novak", passwordHash: await passwordHash, role: "admin" };
    const { id: organizationId } = await db.organization.create({
      data: { name: "Novak Ltd", plan, users: { create: user } },
    });

    async function write(...items: Item[]): Promise<string[]> {
      const path = `/api/platform/v1/organizations/${organizationId}/batch`;
      const body = {
        items: items.map(([type, external_id, attributes]) => ({ type, external_id, attributes })),
      };
      const response = await send<{ id: string; result: string }[]>("POST", path, {
        token: demo.platformKey,
        body,
      });
      const { data } = response.body;
      const failed = data.filter(({ result }) => result === "failed");
      if (failed.length > 0) throw new Error(`not written: ${JSON.stringify(failed)}`);
      return data.map(({ id }) => id);
    }

    const browser = new TestBrowser(conformingFetch());
    let signedIn = false;
    async function authorize(parameters: Record<string, string> = {}): Promise<URL> {
      const page = authorizationPage(demo.url, { scope: everyScope, ...parameters });
      if (!signedIn) await browser.press("sign_in", page, { email, password });
      signedIn = true;
      const response = await browser.press("allow", page);
      return new URL(response.headers.get("location") ?? "");
    }

    async function tokens(scope = everyScope): Promise<Tokens> {
      const code = (await authorize({ scope })).searchParams.get("code");
      const body = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...demoClient };
      return (await send("POST", "/api/oauth/token", { body })).body as unknown as Tokens;
    }

    const [bot = "", otherBot = ""] = await write(
      ["chatbot", "bot", { name: "Sales assistant", model: "parley-large", qualification_threshold: 70 }],
      ["chatbot", "other-bot", { name: "Support desk", model: "parley-small" }],
    );
    const { access_token: token } = await tokens();
    return {
      organizationId,
      bot,
      otherBot,
      authorize,
      tokens,
      call: (method, path, body) => send(method, path, { token, body }),
      write,
    };
  }

  return { url: demo.url, platformKey: demo.platformKey, db, send, createAccount };
}

/** Returns the URL of the authorization page for the demo's client. */
export function authorizationPage(url: string, parameters: Record<string, string | undefined>): string {
  const all = {
    response_type: "code",
    client_id: demoClient.client_id,
    redirect_uri: redirectUri,
    ...parameters,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${url}/api/oauth/authorize?${new URLSearchParams(sent)}`;
}
