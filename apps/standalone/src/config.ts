import { apiVariables, platformKeyHashes } from "@parley/api/config";
import { toggle } from "@parley/config";
import { demo } from "@parley/database";
import { noticesAreSigned } from "@parley/webhooks";
import { workerVariables } from "@parley/worker/config";
import { z } from "zod";

const { DATABASE_URL, PARLEY_ENCRYPTION_KEY, WEBHOOKS_ALLOW_LOOPBACK, LOG_LEVEL } = workerVariables;
const { SHUTDOWN_DELAY_MS, DOCS_CLIENT_ID } = apiVariables;

/**
 * Environment variables of the API and the worker. Required variables have a default here, so that `npm start` needs no
 * configuration.
 */
export const standaloneVariables = {
  ...apiVariables,
  ...workerVariables,
  DATA_DIR: z
    .string()
    .default(".parley")
    .describe("Folder for the embedded PostgreSQL, the encryption key and the platform key."),
  DATABASE_URL: optional(DATABASE_URL, "an embedded PostgreSQL in `DATA_DIR`."),
  PARLEY_ENCRYPTION_KEY: optional(PARLEY_ENCRYPTION_KEY, "created once and stored in `DATA_DIR`."),
  PLATFORM_KEY_HASHES: optional(
    apiVariables.PLATFORM_KEY_HASHES.unwrap().meta(platformKeyHashes),
    "the hash of a key that is created once and stored in `DATA_DIR`.",
  ),
  DOCS_CLIENT_ID: DOCS_CLIENT_ID.unwrap()
    .default(demo.docsClient.id)
    .meta({
      ...DOCS_CLIENT_ID.meta(),
      description: `${DOCS_CLIENT_ID.description} Here, the demo's client by default.`,
    }),
  WEBHOOKS_ALLOW_LOOPBACK: toggle()
    .default(true)
    .describe(
      `${WEBHOOKS_ALLOW_LOOPBACK.description} Allowed by default here, so that you can try a receiver on this machine.`,
    ),
  SHUTDOWN_DELAY_MS: SHUTDOWN_DELAY_MS.unwrap()
    .default(0)
    .describe(
      `${SHUTDOWN_DELAY_MS.description} 0 by default here, so that Ctrl-C stops the server immediately.`,
    ),
  LOG_LEVEL: LOG_LEVEL.unwrap()
    .default("warn")
    .meta({ ...LOG_LEVEL.meta() }),
};

/** Makes a required variable optional and adds the default to its description. */
function optional<Variable extends z.ZodType>(variable: Variable, otherwise: string) {
  return variable
    .optional()
    .meta({ ...variable.meta(), description: `${variable.description} Default: ${otherwise}` });
}

export const standaloneConfig = z.object(standaloneVariables).refine(...noticesAreSigned);
export type StandaloneConfig = z.infer<typeof standaloneConfig>;
