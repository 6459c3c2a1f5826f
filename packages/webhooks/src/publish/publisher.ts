import { type ChangeOptions, type Database, runChange, type Transaction } from "@parley/database";
import type { Logger } from "../logger.ts";
import { createPendingNotifier } from "../notifications.ts";
import type { NewEvent } from "./event.ts";
import { recordEvents } from "./record-events.ts";

/** A change of one organization's records. The change and its events commit atomically. */
export interface Change {
  tx: Transaction;
  organizationId: string;
  /** The time of the change by the database's clock, for `updated_at`. */
  now: Date;
  /** Records an event and its deliveries at the end of the change that caused it. */
  publish: (event: NewEvent) => void;
  /** Notifies workers, after the commit, that a subscription has pending deliveries. */
  notifyPending: (subscriptionId: string) => void;
}

export interface Publisher {
  /** Makes a change and records its events. Workers are notified after the commit. */
  change<Result>(
    organizationId: string,
    make: (change: Change) => Promise<Result>,
    options?: ChangeOptions,
  ): Promise<Result>;
}

/** @param log receives a warning if workers could not be notified: they find what is pending by themselves */
export function createPublisher(db: Database, log: Pick<Logger, "warn">): Publisher {
  const notifyWorkers = createPendingNotifier(db, (error) =>
    log.warn({ err: error }, "delivery workers could not be notified; they look every 500 ms"),
  );
  return {
    async change(organizationId, make, options) {
      const pending: string[] = [];
      const notifyPending = (subscriptionId: string) => void pending.push(subscriptionId);
      async function run(tx: Transaction, now: Date) {
        const events: NewEvent[] = [];
        const publish = (event: NewEvent) => void events.push(event);
        const result = await make({ tx, organizationId, now, publish, notifyPending });
        pending.push(...(await recordEvents(tx, organizationId, events, now)));
        return result;
      }
      const result = await runChange(db, organizationId, run, options);
      notifyWorkers(pending);
      return result;
    },
  };
}
