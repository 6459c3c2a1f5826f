import { randomBytes } from "node:crypto";
import { readConfig } from "@parley/config";
import { type ConformingFetch, conformingFetch } from "@parley/contract/testing";
import { createDatabase, type Database } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { afterAll, beforeAll } from "vitest";
import { buildApp } from "../app.ts";
import { type ApiConfig, apiConfig } from "../config.ts";
import { hashOfKey, newPlatformKey, type Tenant } from "./factories.ts";

/** Server on a free port with its own database. Its `fetch` compares every response with the contract. */
export interface TestApi {
  url: string;
  /** Valid platform key. */
  platformKey: string;
  databaseUrl: string;
  /** Address of the metrics; null without METRICS_PORT. */
  metricsUrl: string | null;
  db: Database;
  fetch: ConformingFetch;
  close(): Promise<void>;
}

/**
 * Starts a server.
 *
 * @param overrides environment variables; with the `DATABASE_URL` of another server, both share the database
 */
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
    MAX_EVENT_LOOP_DELAY_MS: "0", // Tests share the machine's cores.
    ...overrides,
  });
  const app = await buildApp(config);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const db = createDatabase(databaseUrl, { poolSize: 2 });
  return {
    url,
    platformKey,
    databaseUrl,
    metricsUrl: app.metricsUrl,
    db,
    fetch: conformingFetch(),
    async close() {
      await app.close();
      await db.$disconnect();
      await database?.release();
    },
  };
}

/**
 * Starts a server before the tests of a file, and stops it after them. The tests may use the returned object, and hooks that are
 * declared later.
 */
export function useApi(overrides?: Parameters<typeof startApi>[0]): TestApi {
  const api = {} as TestApi;
  beforeAll(async () => {
    Object.assign(api, await startApi(overrides));
  });
  afterAll(() => api.close());
  return api;
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>;

/** Calls the Platform API for an organization; `path` is relative to the organization, for example `/leads/crm-1`. */
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
