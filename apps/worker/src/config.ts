import { databaseVariables, logVariables } from "@parley/database";
import { deliveryVariables, webhookVariables } from "@parley/webhooks";
import { z } from "zod";

/** The variables of the worker: each is named in the package whose concern it is. */
export const workerVariables = {
  ...logVariables,
  ...databaseVariables,
  ...webhookVariables,
  ...deliveryVariables,
};

export const workerConfig = z.object(workerVariables);
export type WorkerConfig = z.infer<typeof workerConfig>;
