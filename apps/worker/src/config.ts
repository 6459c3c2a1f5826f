import { databaseVariables } from "@parley/database";
import { deliveryVariables, webhookVariables } from "@parley/webhooks";
import { z } from "zod";

/** The variables of the worker: each is named in the package whose concern it is. */
export const workerVariables = {
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Least severe level that is logged, as JSON lines on standard output."),
  ...databaseVariables,
  ...webhookVariables,
  ...deliveryVariables,
};

export const workerConfig = z.object(workerVariables);
export type WorkerConfig = z.infer<typeof workerConfig>;
