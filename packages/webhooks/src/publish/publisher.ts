import { type ChangeOptions, type Database, runChange, type Transaction } from "@parley/database";
import { inSpan, type Tracing } from "@parley/monitoring/tracing";
import type { Logger } from "../logger.ts";
import { createCommitNotifier } from "../notifications.ts";
import type { NewEvent } from "./event.ts";
import { recordEvents } from "./record-events.ts";

/** Change of an organization's records. The change and its events commit atomically. */
export interface Change {
  tx: Transaction;
  organizationId: string;
  /** Time of the change by the database's clock, for `updated_at`. */
  now: Date;
  /** Records an event and its deliveries at the end of the change that caused it. */
  publish: (event: NewEvent) => void;
  /** Notifies workers, after the commit, that a subscription has pending deliveries. */
  notifyPending: (subscriptionId: string) => void;
}

export interface Publisher {
  /** Makes a change, records its events, and notifies workers after the commit. */
  change<Result>(
    organizationId: string,
    make: (change: Change) => Promise<Result>,
    options?: ChangeOptions,
  ): Promise<Result>;
}

/**
 * Creates a publisher.
 *
 * @param log receives a warning if workers cannot be notified; they find pending deliveries by polling
 * @param tracing traces changes and events
 */
export function createPublisher(db: Database, log: Pick<Logger, "warn">, tracing?: Tracing): Publisher {
  const notify = createCommitNotifier(db, (error) =>
    log.warn({ err: error }, "notifying workers and readers of events failed; they poll"),
  );
  return {
    async change(organizationId, make, options) {
      const pending: string[] = [];
      let hasEvents = false;
      const notifyPending = (subscriptionId: string) => void pending.push(subscriptionId);
      async function run(tx: Transaction, now: Date) {
        const events: NewEvent[] = [];
        const publish = (event: NewEvent) => void events.push(event);
        const result = await make({ tx, organizationId, now, publish, notifyPending });
        hasEvents = events.length > 0;
        pending.push(...(await recordEvents(tx, organizationId, events, now, tracing)));
        return result;
      }
      const attributes = { "parley.organization.id": organizationId };
      const result = await inSpan(tracing, "change", attributes, () =>
        runChange(db, organizationId, run, options),
      );
      notify({ subscriptions: pending, organization: hasEvents ? organizationId : undefined });
      return result;
    },
  };
}
