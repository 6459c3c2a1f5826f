import { conformingFetch } from "@parley/contract/testing";
import { createTestDatabase } from "@parley/database/testing";
import { expect, test } from "vitest";
import { buildApp } from "../src/app.ts";
import { apiConfig } from "../src/config.ts";

test("fails only the readiness check while the worker in the same process does not work", async () => {
  const database = await createTestDatabase();
  let problem: string | null = null;
  const config = apiConfig.parse({
    DATABASE_URL: database.url,
    PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    SHUTDOWN_DELAY_MS: "0",
    LOG_LEVEL: "silent",
  });
  const app = await buildApp(config, { problem: () => problem });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const get = async (path: string) => {
    const response = await conformingFetch()(url + path);
    return [response.status, await response.json()];
  };
  expect(await get("/readyz")).toEqual([200, { status: "ok" }]);

  problem = "no database session";
  const description = "The delivery worker has a problem: no database session.";
  expect(await get("/readyz")).toEqual([503, { error: "server_error", error_description: description }]);
  expect(await get("/healthz")).toEqual([200, { status: "ok" }]);
  await app.close();
  await database.release();
});
