import type { Database } from "@parley/database";
import { createPublisher } from "@parley/webhooks";
import type { Logger } from "pino";
import { sendReminders } from "./send-reminders.ts";

const everyMs = 15_000;

/**
 * Sends meeting reminders, at once and then every 15 seconds: cron's minutes are too coarse for what is due a minute before.
 * Several workers may do so side by side, since each reminder is marked in the transaction that publishes it.
 *
 * @param leadMinutes how long before a meeting starts its reminder is sent
 * @param failed is called after each run that failed
 */
export async function startReminders(
  db: Database,
  leadMinutes: number,
  log: Logger,
  failed: () => void,
): Promise<{ stop(): Promise<void> }> {
  const publisher = createPublisher(db, log);
  let running: Promise<unknown> | undefined;

  function run(): void {
    running ??= sendReminders(db, publisher, leadMinutes)
      .catch((error: unknown) => {
        failed();
        log.error({ err: error }, "meeting reminders could not be sent; retrying in 15 seconds");
      })
      .finally(() => {
        running = undefined;
      });
  }

  run();
  await running;
  const timer = setInterval(run, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
