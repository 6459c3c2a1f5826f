import type { Database } from "@parley/database";
import { type Publisher, type Repeated, repeat } from "@parley/webhooks";
import type { Logger } from "pino";
import { sendReminders } from "./send-reminders.ts";

const everyMs = 15_000;

/**
 * Publishes meeting reminders, now and then every 15 seconds. A timer is used because cron has a resolution of one minute. Several
 * workers may run it, since each reminder is marked in the transaction that publishes it.
 *
 * @param leadMinutes minutes before the start of a meeting
 * @param failed called after each failed run
 */
export function startReminders(
  publisher: Publisher,
  db: Database,
  leadMinutes: number,
  log: Logger,
  failed: () => void,
): Repeated {
  return repeat(
    () => sendReminders(db, publisher, leadMinutes),
    everyMs,
    (error) => {
      failed();
      log.error({ err: error }, "publishing meeting reminders failed; retrying in 15 seconds");
    },
  );
}
