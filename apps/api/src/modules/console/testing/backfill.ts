import type { Database } from "@parley/database";
import { createPublisher, runBackfills } from "@parley/webhooks";

/** Creates the deliveries of gaps and redeliveries, as a worker does every second. */
export async function backfill(records: Database): Promise<void> {
  const log = { info() {}, warn() {}, error() {} };
  await runBackfills({ records, publisher: createPublisher(records, log), maxPending: 0, log });
}
