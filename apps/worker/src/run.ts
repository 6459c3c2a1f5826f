import { run, stopOnSignal } from "@parley/config";
import { prepareDatabase } from "@parley/database";
import { workerConfig } from "./config.ts";

const program = {
  command: "node_modules/.bin/node apps/worker/src/main.mjs",
  purpose: "Sends webhook deliveries and runs the scheduled jobs. Several workers share the work.",
  variables: workerConfig,
};

await run(program, async (config) => {
  const { buildWorker } = await import("./worker.ts"); // Most of what there is to load, which --help does not need.
  await prepareDatabase(config.DATABASE_URL);
  const worker = await buildWorker(config);
  stopOnSignal(() => worker.stop(), config.SHUTDOWN_TIMEOUT_MS);
});
