import { prepareDatabase, readConfig, run } from "@parley/database";
import { buildApp } from "./app.ts";
import { apiConfig } from "./config.ts";

await run(async () => {
  const config = readConfig(apiConfig, process.env);
  await prepareDatabase(config.DATABASE_URL);
  const app = await buildApp(config);
  await app.listen({ host: config.HOST, port: config.PORT });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());
});
