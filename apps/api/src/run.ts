import { run, stopOnSignal } from "@parley/config";
import { databaseAddress, prepareDatabase } from "@parley/database";
import { apiConfig } from "./config.ts";

const program = {
  command: "node_modules/.bin/node apps/api/src/main.mjs",
  purpose: "Serves the API, the console and the reference.",
  variables: apiConfig,
};

await run(program, async (config) => {
  const { buildApp } = await import("./app.ts"); // Loaded here because it is large and --help does not need it.
  await prepareDatabase(databaseAddress(config));
  const app = await buildApp(config);
  await app.listen({ host: config.HOST, port: config.PORT });
  stopOnSignal(() => app.shutDown(), config.SHUTDOWN_TIMEOUT_MS);
});
