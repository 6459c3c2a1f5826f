import { TestBrowser } from "@parley/api/testing";
import { readConfig } from "@parley/config";
import { type ConformingFetch, conformingFetch } from "@parley/contract/testing";
import { demo } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { makeTestFolder } from "@parley/testing/test-folder";
import { standaloneConfig } from "../config.ts";
import { startStandalone } from "../standalone.ts";
import { storedPlatformKey } from "../stored-secrets.ts";

/** Server of `npm start` in this process, with its own database. */
export interface Demo {
  url: string;
  /** Access token of the Pro organization's user, with every scope. */
  token: string;
  /** File with the environment variables for the demo. */
  variablesFile: string;
  /** Valid platform key. */
  platformKey: string;
  databaseUrl: string;
  /** Address of the metrics; null without METRICS_PORT. */
  metricsUrl: string | null;
  stop(): Promise<void>;
}

/** @param overrides environment variables */
export async function startDemo(overrides: Record<string, string> = {}): Promise<Demo> {
  const database = await createTestDatabase();
  const dataDir = makeTestFolder();
  const variables = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "silent",
    ...overrides,
  };
  const standalone = await startStandalone(readConfig(standaloneConfig, variables), () => {});
  return {
    url: standalone.url,
    token: standalone.demoToken ?? "",
    variablesFile: standalone.demoVariablesFile ?? "",
    platformKey: storedPlatformKey(dataDir),
    databaseUrl: database.url,
    metricsUrl: standalone.metricsUrl,
    async stop() {
      await standalone.stop();
      await database.release();
    },
  };
}

/** Signs in to the authorization page as the Pro organization's user, allows access, and returns the redirect's address. */
export async function allowAccess(page: string, fetch: ConformingFetch = conformingFetch()): Promise<URL> {
  const browser = new TestBrowser(fetch);
  await browser.press("sign_in", page, { email: "pro@demo.parley.dev", password: demo.password });
  const response = await browser.press("allow", page);
  return new URL(response.headers.get("location") ?? "");
}
