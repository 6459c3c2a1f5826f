import { join } from "node:path";
import { buildApp } from "@parley/api";
import {
  applyMigrations,
  createDatabase,
  databaseAddress,
  demo,
  hashToken,
  issueDemoToken,
  seedDemo,
} from "@parley/database";
import { explainDataFolder } from "@parley/embedded-postgres";
import { startMonitoring } from "@parley/monitoring";
import { startTracing } from "@parley/monitoring/tracing";
import { buildWorker } from "@parley/worker";
import type { StandaloneConfig } from "./config.ts";
import { writeDemoVariables } from "./demo-variables.ts";
import { startEmbeddedDatabase } from "./embedded-database.ts";
import { platformKeyFile, storedEncryptionKey, storedPlatformKey } from "./stored-secrets.ts";

export interface Standalone {
  /** Address of the server. */
  url: string;
  /** Address of the metrics of the API and the worker; null without METRICS_PORT. */
  metricsUrl: string | null;
  /** Access token of the demo's Pro organization; null if the database contains no demo data. */
  demoToken: string | null;
  /** File with the environment variables for the demo; null if the database contains no demo data. */
  demoVariablesFile: string | null;
  /** File with the platform key; null if PLATFORM_KEY_HASHES is set. */
  platformKeyFile: string | null;
  /** Finishes requests and deliveries in flight, and stops the database. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL (embedded, unless DATABASE_URL is set), the API and the worker in this process.
 *
 * @param progress receives a message for each step
 */
export async function startStandalone(
  config: StandaloneConfig,
  progress: (step: string) => void,
): Promise<Standalone> {
  // Stopped in reverse order, even if a later start fails.
  const started: (() => Promise<void>)[] = [];
  async function stop(): Promise<void> {
    for (let end = started.pop(); end; end = started.pop()) await end();
  }

  try {
    const databaseUrl = config.DATABASE_URL ?? (await embeddedDatabase());
    progress("Preparing the database");
    const { directUrl, pooler } = databaseAddress({ ...config, DATABASE_URL: databaseUrl });
    await applyMigrations(directUrl);
    const db = createDatabase(databaseUrl, {
      poolSize: config.DATABASE_POOL_SIZE,
      pooler,
      statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    });
    started.push(() => db.$disconnect());
    await seedDemo(db);
    const demoToken = await issueDemoToken(db);

    progress("Starting the API and the worker");
    const complete = {
      ...config,
      DATABASE_URL: databaseUrl,
      PARLEY_ENCRYPTION_KEY: config.PARLEY_ENCRYPTION_KEY ?? storedEncryptionKey(config.DATA_DIR),
      DOCS_CLIENT_ID:
        !demoToken && config.DOCS_CLIENT_ID === demo.docsClient.id ? "off" : config.DOCS_CLIENT_ID,
      PLATFORM_KEY_HASHES: config.PLATFORM_KEY_HASHES ?? [
        Buffer.from(hashToken(storedPlatformKey(config.DATA_DIR))),
      ],
    };
    const monitoring = await startMonitoring(complete);
    started.push(() => monitoring.stop());
    const tracing = await startTracing({ serviceName: "parley", logLevel: config.LOG_LEVEL });
    started.push(async () => tracing?.stop());
    const worker = await buildWorker(complete, { db, monitoring, tracing });
    started.push(() => worker.stop());
    const app = await buildApp(complete, { problem: () => worker.problem(), db, monitoring, tracing });
    started.push(() => app.shutDown());
    await app.listen({ host: config.HOST, port: config.PORT });
    const url = config.PUBLIC_URL ?? app.listeningOrigin;
    return {
      url,
      metricsUrl: monitoring.url,
      demoToken,
      demoVariablesFile: demoToken && writeDemoVariables(config.DATA_DIR, url, demoToken),
      platformKeyFile: config.PLATFORM_KEY_HASHES ? null : join(config.DATA_DIR, platformKeyFile),
      stop,
    };
  } catch (error) {
    await stop();
    throw config.DATABASE_URL === undefined ? explainDataFolder(config.DATA_DIR, error) : error;
  }

  async function embeddedDatabase(): Promise<string> {
    progress(`Starting PostgreSQL in ${config.DATA_DIR}`);
    const postgres = await startEmbeddedDatabase(config.DATA_DIR, progress);
    started.push(() => postgres.stop());
    return postgres.url;
  }
}
