import { applyMigrations, createDatabase, readConfig, refuseDemo } from "@parley/database";
import { buildApp } from "./app.ts";
import { apiConfig } from "./config.ts";

const config = readConfig(apiConfig, process.env);
await applyMigrations(config.DATABASE_URL);
const db = createDatabase(config.DATABASE_URL, { poolSize: 1 });
try {
  await refuseDemo(db);
} finally {
  await db.$disconnect();
}
const app = await buildApp(config);
await app.listen({ host: config.HOST, port: config.PORT });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());
