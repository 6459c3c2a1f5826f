import { prepareDatabase, readConfig, run, stopOnSignal } from "@parley/database";
import { buildApp } from "./app.ts";
import { apiConfig } from "./config.ts";

await run(async () => {
  const config = readConfig(apiConfig, process.env);
  await prepareDatabase(config.DATABASE_URL);
  const app = await buildApp(config);
  await app.listen({ host: config.HOST, port: config.PORT });
  stopOnSignal(() => app.shutDown(), config.SHUTDOWN_TIMEOUT_MS);
});
