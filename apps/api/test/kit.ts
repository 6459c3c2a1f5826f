import { randomBytes } from "node:crypto";
import { readConfig } from "@parley/config";
import type { Plan, Scope } from "@parley/contract";
import { scopeMeanings } from "@parley/contract";
import { type ConformingFetch, conformingFetch } from "@parley/contract/testing";
import { createDatabase, type Database, hashToken } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { buildApp } from "../src/app.ts";
import { type ApiConfig, apiConfig } from "../src/config.ts";

/** The real server on a free port with a database of its own; every answer is compared with the contract. */
export interface TestApi {
  url: string;
  /** A key of the chatbot platform. */
  platformKey: string;
  databaseUrl: string;
  db: Database;
  fetch: ConformingFetch;
  close(): Promise<void>;
}

/** @param overrides with the `DATABASE_URL` of another, it is a second process of the same installation */
export async function startApi(overrides: Partial<Record<keyof ApiConfig, string>> = {}): Promise<TestApi> {
  const database = overrides.DATABASE_URL === undefined ? await createTestDatabase() : undefined;
  const databaseUrl = overrides.DATABASE_URL ?? database?.url ?? "";
  const platformKey = newPlatformKey();
  const config = readConfig(apiConfig, {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: "4",
    SHUTDOWN_DELAY_MS: "0",
    PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
    PLATFORM_KEY_HASHES: hashOfKey(platformKey),
    LOG_LEVEL: "silent",
    ...overrides,
  });
  const app = await buildApp(config);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const db = createDatabase(databaseUrl, { poolSize: 2 });
  return {
    url,
    platformKey,
    databaseUrl,
    db,
    fetch: conformingFetch(),
    async close() {
      await app.close();
      await db.$disconnect();
      await database?.drop();
    },
  };
}

export function newPlatformKey(): string {
  return `parley_pk_${randomBytes(32).toString("hex")}`;
}

/** As it stands in PLATFORM_KEY_HASHES. */
export function hashOfKey(platformKey: string): string {
  return Buffer.from(hashToken(platformKey)).toString("hex");
}

/** An organization with a user, a chatbot and a token of its own. */
export interface Tenant {
  organizationId: string;
  userId: string;
  chatbotId: string;
  grantId: string;
  token: string;
}

export interface TenantOptions {
  plan?: Plan;
  scopes?: Scope[];
  threshold?: number;
  organizationId?: string;
}

export async function createTenant(db: Database, options: TenantOptions = {}): Promise<Tenant> {
  const { plan = "business", scopes, threshold = 70, organizationId } = options;
  const unique = randomBytes(6).toString("hex");
  const organization = await db.organization.create({
    data: {
      ...(organizationId && { id: organizationId }),
      name: `Organization ${unique}`,
      plan,
      users: { create: { name: "Uma User", email: `${unique}@example.com`, passwordHash: "none" } },
      chatbots: {
        create: { name: `Bot ${unique}`, model: "parley-small", qualificationThreshold: threshold },
      },
    },
    include: { users: true, chatbots: true },
  });
  const [user] = organization.users;
  const [chatbot] = organization.chatbots;
  if (!user || !chatbot) throw new Error("the tenant was not created whole");
  const { grantId, token } = await issueToken(
    db,
    { organizationId: organization.id, userId: user.id },
    scopes,
  );
  return { organizationId: organization.id, userId: user.id, chatbotId: chatbot.id, grantId, token };
}

/** Another access token for a user, valid for an hour unless told otherwise. */
export async function issueToken(
  db: Database,
  { organizationId, userId }: Pick<Tenant, "organizationId" | "userId">,
  scopes: Scope[] = Object.keys(scopeMeanings) as Scope[],
  expiresAt = new Date(Date.now() + 3_600_000),
): Promise<{ grantId: string; token: string }> {
  const token = `parley_at_${randomBytes(32).toString("base64url")}`;
  const client = { id: "test-client", name: "Test client", redirectUris: ["http://127.0.0.1/callback"] };
  await db.oAuthClient.upsert({ where: { id: client.id }, create: client, update: {} });
  const { id } = await db.oAuthGrant.create({
    data: {
      organizationId,
      userId,
      clientId: client.id,
      scopes,
      tokens: { create: { tokenHash: hashToken(token), kind: "access", scopes, expiresAt } },
    },
  });
  return { grantId: id, token };
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>;

/** The chatbot platform, writing a tenant's records; `path` goes on from the organization, for example `/leads/crm-1`. */
export function asPlatform(
  api: Pick<TestApi, "url" | "fetch" | "platformKey">,
  organizationId: string,
): Call {
  const call = as(api, { token: api.platformKey });
  return (method, path, ...rest) =>
    call(method, `/api/platform/v1/organizations/${organizationId}${path}`, ...rest);
}

/** Calls the API as a tenant; `body` is sent as JSON. */
export function as(api: Pick<TestApi, "url" | "fetch">, { token }: Pick<Tenant, "token">): Call {
  return (method, path, body, headers) =>
    api.fetch(`${api.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}
