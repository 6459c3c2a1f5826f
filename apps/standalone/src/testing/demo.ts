import { TestBrowser } from "@parley/api/testing";
import { readConfig } from "@parley/config";
import { type ConformingFetch, conformingFetch } from "@parley/contract/testing";
import { demo } from "@parley/database";
import { createTestDatabase } from "@parley/database/testing";
import { makeTestFolder } from "@parley/testing/test-folder";
import { standaloneConfig } from "../config.ts";
import { keptPlatformKey } from "../kept-secrets.ts";
import { startStandalone } from "../standalone.ts";

/** What `npm start` serves, in this process and with a database of its own. */
export interface Demo {
  url: string;
  /** An access token of the Pro organization's user, with every scope. */
  token: string;
  /** A key of the chatbot platform. */
  platformKey: string;
  databaseUrl: string;
  stop(): Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const database = await createTestDatabase();
  const dataDir = makeTestFolder();
  const variables = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "silent",
  };
  const standalone = await startStandalone(readConfig(standaloneConfig, variables), () => {});
  return {
    url: standalone.url,
    token: standalone.demoToken ?? "",
    platformKey: keptPlatformKey(dataDir),
    databaseUrl: database.url,
    async stop() {
      await standalone.stop();
      await database.drop();
    },
  };
}

/** Signs in to the authorization page as the Pro organization's user, allows, and returns where the browser is sent. */
export async function allowAccess(page: string, fetch: ConformingFetch = conformingFetch()): Promise<URL> {
  const browser = new TestBrowser(fetch);
  await browser.press("sign_in", page, { email: "pro@demo.parley.dev", password: demo.password });
  const answer = await browser.press("allow", page);
  return new URL(answer.headers.get("location") ?? "");
}
