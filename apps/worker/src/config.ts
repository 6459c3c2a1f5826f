import { integer, logVariables, stopVariables } from "@parley/config";
import { databaseVariables } from "@parley/database";
import { deliveryVariables, noticesAreSigned, noticeVariables, webhookVariables } from "@parley/webhooks";
import { z } from "zod";

/** The variables of the worker: each is named here or in the package whose concern it is. */
export const workerVariables = {
  ...logVariables,
  ...stopVariables,
  ...databaseVariables,
  ...webhookVariables,
  ...deliveryVariables,
  ...noticeVariables,
  METRICS_PORT: integer(0, 65_535).optional().meta({
    description:
      "Port of `GET /metrics` for Prometheus, and of the health checks `GET /healthz` and `GET /readyz`, all without a token; 0 picks a free one. Default: none.",
    example: "9464",
  }),
  METRICS_HOST: z.string().default("127.0.0.1").describe("Address that `METRICS_PORT` listens on."),
  AUDIT_LOG_DAYS: integer(1, 3_650)
    .default(365)
    .describe("How long the audit log (sign-ins, consents, tokens, apps) is kept, in days."),
  MEETING_REMINDER_MINUTES: integer(1, 10_080)
    .default(60)
    .describe(
      "How long before a meeting starts `meeting.reminder` is sent, in minutes; it follows within 15 seconds.",
    ),
};

export const workerConfig = z.object(workerVariables).refine(...noticesAreSigned);
export type WorkerConfig = z.infer<typeof workerConfig>;
