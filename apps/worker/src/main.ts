import { prepareDatabase, readConfig, run } from "@parley/database";
import { workerConfig } from "./config.ts";
import { buildWorker } from "./worker.ts";

await run(async () => {
  const config = readConfig(workerConfig, process.env);
  await prepareDatabase(config.DATABASE_URL);
  const worker = await buildWorker(config);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void worker.stop());
});
