import { applyMigrations, createDatabase, readConfig, refuseDemo } from "@parley/database";
import { workerConfig } from "./config.ts";
import { buildWorker } from "./worker.ts";

const config = readConfig(workerConfig, process.env);
await applyMigrations(config.DATABASE_URL);
const db = createDatabase(config.DATABASE_URL, { poolSize: 1 });
try {
  await refuseDemo(db);
} finally {
  await db.$disconnect();
}
const worker = await buildWorker(config);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void worker.stop());
