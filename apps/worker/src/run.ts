import { run, stopOnSignal } from "@parley/config";
import { databaseAddress, prepareDatabase } from "@parley/database";
import { startTracing } from "@parley/monitoring/tracing";
import { workerConfig } from "./config.ts";

const program = {
  command: "node_modules/.bin/node apps/worker/src/main.mjs",
  purpose: "Sends webhook deliveries and runs scheduled jobs. You can run several workers.",
  variables: workerConfig,
};

await run(program, async (config) => {
  const { buildWorker } = await import("./worker.ts"); // Loaded here because it is large and --help does not need it.
  const tracing = await startTracing({ serviceName: "parley-worker", logLevel: config.LOG_LEVEL });
  await prepareDatabase(databaseAddress(config));
  const worker = await buildWorker(config, { tracing });
  stopOnSignal(async () => {
    await worker.stop();
    await tracing?.stop();
  }, config.SHUTDOWN_TIMEOUT_MS);
});
