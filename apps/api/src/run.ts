import { prepareDatabase, run } from "@parley/database";
import { buildApp } from "./app.ts";
import { apiConfig } from "./config.ts";

const program = {
  command: "node_modules/.bin/node apps/api/src/main.mjs",
  purpose: "Serves the API, the account pages and the reference.",
  variables: apiConfig,
};

await run(program, async (config) => {
  await prepareDatabase(config.DATABASE_URL);
  const app = await buildApp(config);
  await app.listen({ host: config.HOST, port: config.PORT });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());
});
