import { apiVariables } from "@parley/api/config";
import { workerVariables } from "@parley/worker/config";
import { z } from "zod";

/** Those of the API and the worker; what they require has a default here, so that everything starts by itself. */
export const standaloneVariables = {
  ...apiVariables,
  ...workerVariables,
  DATA_DIR: z
    .string()
    .default(".parley")
    .describe("Folder of the embedded PostgreSQL, of the encryption key and of the platform key."),
  DATABASE_URL: workerVariables.DATABASE_URL.optional().describe(
    "As for the API. Default: an embedded PostgreSQL in `DATA_DIR`.",
  ),
  PARLEY_ENCRYPTION_KEY: workerVariables.PARLEY_ENCRYPTION_KEY.optional().describe(
    "As for the API. Default: made once and kept in `DATA_DIR`.",
  ),
  PLATFORM_KEY_HASHES: apiVariables.PLATFORM_KEY_HASHES.unwrap()
    .optional()
    .describe("As for the API. Default: that of a key that is made once and kept in `DATA_DIR`."),
  WEBHOOKS_ALLOW_LOOPBACK: z
    .stringbool()
    .default(true)
    .describe("As for the API, but allowed by default, so that a receiver on this machine can be tried."),
  SHUTDOWN_DELAY_MS: apiVariables.SHUTDOWN_DELAY_MS.unwrap()
    .default(0)
    .describe("As for the API, but 0 by default, so that Ctrl-C stops everything at once."),
  LOG_LEVEL: workerVariables.LOG_LEVEL.unwrap().default("warn").describe("As for the API."),
};

export const standaloneConfig = z.object(standaloneVariables);
export type StandaloneConfig = z.infer<typeof standaloneConfig>;
