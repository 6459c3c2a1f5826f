import { prepareDatabase, readConfig, run, stopOnSignal } from "@parley/database";
import { workerConfig } from "./config.ts";
import { buildWorker } from "./worker.ts";

await run(async () => {
  const config = readConfig(workerConfig, process.env);
  await prepareDatabase(config.DATABASE_URL);
  const worker = await buildWorker(config);
  stopOnSignal(() => worker.stop(), config.SHUTDOWN_TIMEOUT_MS);
});
