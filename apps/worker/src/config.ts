import { integer, logVariables, stopVariables } from "@parley/config";
import { databaseVariables, requestLogVariables } from "@parley/database";
import { monitoringVariables } from "@parley/monitoring";
import { deliveryVariables, noticesAreSigned, noticeVariables, webhookVariables } from "@parley/webhooks";
import { z } from "zod";

/** Returns the variable for the retention of a kind of records. */
function retention(records: string) {
  return integer(1, 3_650)
    .optional()
    .meta({
      description: `Retention of ${records} after their last change, in days. Default: none, they are kept.`,
      example: "730",
    });
}

/** Environment variables of the worker. Variables of a package are defined in that package. */
export const workerVariables = {
  ...logVariables,
  ...stopVariables,
  ...databaseVariables,
  ...requestLogVariables,
  ...webhookVariables,
  ...deliveryVariables,
  ...noticeVariables,
  ...monitoringVariables,
  AUDIT_LOG_DAYS: integer(1, 3_650)
    .default(365)
    .describe("Retention of the audit log (sign-ins, consents, tokens, apps), in days."),
  LEAD_RETENTION_DAYS: retention("leads"),
  CONVERSATION_RETENTION_DAYS: retention("conversations, with their messages,"),
  TICKET_RETENTION_DAYS: retention("tickets"),
  MEETING_RETENTION_DAYS: retention("meetings"),
  TOOL_RUN_RETENTION_DAYS: retention("tool runs"),
  MEETING_REMINDER_MINUTES: integer(1, 10_080)
    .default(60)
    .describe(
      "Time before the start of a meeting at which `meeting.reminder` is published, in minutes. It is published up to 15 seconds later.",
    ),
};

export const workerConfig = z.object(workerVariables).refine(...noticesAreSigned);
export type WorkerConfig = z.infer<typeof workerConfig>;
