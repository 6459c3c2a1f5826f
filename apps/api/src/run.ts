import { run, stopOnSignal } from "@parley/config";
import { databaseAddress, prepareDatabase } from "@parley/database";
import { startTracing } from "@parley/monitoring/tracing";
import { apiConfig } from "./config.ts";

const program = {
  command: "node_modules/.bin/node apps/api/src/main.mjs",
  purpose: "Serves the API, the console and the reference.",
  variables: apiConfig,
};

await run(program, async (config) => {
  const { buildApp } = await import("./app.ts"); // Loaded here because it is large and --help does not need it.
  const tracing = await startTracing({ serviceName: "parley-api", logLevel: config.LOG_LEVEL });
  await prepareDatabase(databaseAddress(config));
  const app = await buildApp(config, { tracing });
  await app.listen({ host: config.HOST, port: config.PORT });
  stopOnSignal(async () => {
    await app.shutDown();
    await tracing?.stop();
  }, config.SHUTDOWN_TIMEOUT_MS);
});
