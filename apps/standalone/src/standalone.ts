import { join } from "node:path";
import { buildApp } from "@parley/api";
import { applyMigrations, createDatabase, hashToken, issueDemoToken, seedDemo } from "@parley/database";
import { explainDataFolder } from "@parley/embedded-postgres";
import { buildWorker } from "@parley/worker";
import type { StandaloneConfig } from "./config.ts";
import { startEmbeddedDatabase } from "./embedded-database.ts";
import { keptEncryptionKey, keptPlatformKey, platformKeyFile } from "./kept-secrets.ts";

export interface Standalone {
  /** Where it listens. */
  url: string;
  /** An access token of the demo's Pro organization; null when the database is not the demo's. */
  demoToken: string | null;
  /** The file that holds the key of the chatbot platform; null when the configuration names the keys. */
  platformKeyFile: string | null;
  /** Answers what was asked, finishes deliveries that are on their way, and stops the database. */
  stop(): Promise<void>;
}

/**
 * Everything in one process: PostgreSQL (embedded, unless the configuration names another), the API, the worker.
 *
 * @param progress is told in words what is being done
 */
export async function startStandalone(
  config: StandaloneConfig,
  progress: (step: string) => void,
): Promise<Standalone> {
  // What was started is stopped in the reverse order, also when a later start fails.
  const started: (() => Promise<void>)[] = [];
  async function stop(): Promise<void> {
    for (let end = started.pop(); end; end = started.pop()) await end();
  }

  try {
    const databaseUrl = config.DATABASE_URL ?? (await embeddedDatabase());
    progress("Preparing the database");
    await applyMigrations(databaseUrl);
    const db = createDatabase(databaseUrl, { poolSize: config.DATABASE_POOL_SIZE });
    started.push(() => db.$disconnect());
    await seedDemo(db);
    const demoToken = await issueDemoToken(db);

    progress("Starting the API and the worker");
    const complete = {
      ...config,
      DATABASE_URL: databaseUrl,
      PARLEY_ENCRYPTION_KEY: config.PARLEY_ENCRYPTION_KEY ?? keptEncryptionKey(config.DATA_DIR),
      PLATFORM_KEY_HASHES: config.PLATFORM_KEY_HASHES ?? [
        Buffer.from(hashToken(keptPlatformKey(config.DATA_DIR))),
      ],
    };
    const worker = await buildWorker(complete, db);
    started.push(() => worker.stop());
    const app = await buildApp(complete, { problem: () => worker.problem(), db });
    started.push(() => app.shutDown());
    await app.listen({ host: config.HOST, port: config.PORT });
    return {
      url: config.PUBLIC_URL ?? app.listeningOrigin,
      demoToken,
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
