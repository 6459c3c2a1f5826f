import { type ChangeOptions, type Database, runChange, type Send, type Transaction } from "@parley/database";
import { v7 as uuidv7 } from "uuid";
import { createPendingNotifier } from "../notifications.ts";
import type { Logger } from "../worker/options.ts";
import { eventBody, type NewEvent } from "./event.ts";

/** A change of one organization's records while it is being made: all of it is committed, or nothing. */
export interface Change {
  tx: Transaction;
  organizationId: string;
  /** The time of the change by the database's clock, for `updated_at`. */
  now: Date;
  /** Records an event and its deliveries with the change that caused it. */
  publish: (event: NewEvent) => void;
  /** Has workers told, after the commit, that a subscription has something due. */
  due: (subscriptionId: string) => void;
}

export interface Publisher {
  /** Makes a change with its events. Workers are told after the commit. */
  change<Result>(
    organizationId: string,
    make: (change: Change) => Promise<Result>,
    options?: ChangeOptions,
  ): Promise<Result>;
}

/** @param log receives a warning if workers could not be notified: they find what is pending by themselves */
export function createPublisher(db: Database, log: Pick<Logger, "warn">): Publisher {
  const notifyPending = createPendingNotifier(db, (error) =>
    log.warn({ err: error }, "delivery workers could not be notified; they look every 500 ms"),
  );
  return {
    async change(organizationId, make, options) {
      const recorded: Promise<Receiver[]>[] = [];
      const subscriptions: string[] = [];
      async function run(tx: Transaction, now: Date, send: Send) {
        const publish = (event: NewEvent) => void recorded.push(record(send, organizationId, event, now));
        const due = (subscriptionId: string) => void subscriptions.push(subscriptionId);
        return make({ tx, organizationId, now, publish, due });
      }
      const result = await runChange(db, organizationId, run, options);
      const receivers = await Promise.all(recorded);
      notifyPending([...subscriptions, ...receivers.flat().map(({ subscriptionId }) => subscriptionId)]);
      return result;
    },
  };
}

interface Receiver {
  subscriptionId: string;
}

/** What a route without a filter has in place of a chatbot. */
export const everyChatbot = "00000000-0000-0000-0000-000000000000";

/**
 * Writes the event, and a delivery for each active subscription of its organization that lists the type and whose
 * filters let it through.
 *
 * @returns these subscriptions
 */
function record(send: Send, organizationId: string, event: NewEvent, now: Date): Promise<Receiver[]> {
  const id = uuidv7(); // This one never goes back within a millisecond, so events keep their order.
  return send({
    name: "record-event",
    text: `
      WITH event AS (
        INSERT INTO events (id, organization_id, type, chatbot_id, body, created_at)
        VALUES ($1::uuid, $2::uuid, $3, $4::uuid, $5, $6::timestamptz)
        RETURNING id, organization_id, type, chatbot_id
      )
      INSERT INTO deliveries (organization_id, subscription_id, event_id)
      SELECT event.organization_id, subscriptions.id, event.id
      FROM event
      JOIN subscription_routes route ON route.organization_id = event.organization_id AND route.event_type = event.type
        AND route.chatbot_id IN ($7::uuid, coalesce(event.chatbot_id, $7::uuid))
      JOIN subscriptions ON subscriptions.id = route.subscription_id
      WHERE subscriptions.status = 'active'
      RETURNING subscription_id AS "subscriptionId"`,
    values: [id, organizationId, event.type, event.chatbotId, eventBody(id, event, now), now, everyChatbot],
  });
}
