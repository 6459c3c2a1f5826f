import type { Database, Transaction } from "@parley/database";
import { v7 as uuidv7 } from "uuid";
import { announceDeliveries } from "./announce.ts";
import { eventBody, type NewEvent } from "./event.ts";

/** Records an event and its deliveries within the transaction of the change that caused it. */
export type Publish = (event: NewEvent) => Promise<void>;

export interface Publisher {
  db: Database;
  /** Runs a change with its events: both are committed, or neither. Workers are told after the commit. */
  transaction<Result>(change: (tx: Transaction, publish: Publish) => Promise<Result>): Promise<Result>;
}

export function createPublisher(db: Database): Publisher {
  const announce = announceDeliveries(db);
  return {
    db,
    async transaction(change) {
      const subscriptions: string[] = [];
      const result = await db.$transaction((tx) =>
        change(tx, async (event) => {
          subscriptions.push(...(await record(tx, event)));
        }),
      );
      announce(subscriptions);
      return result;
    },
  };
}

/**
 * Writes the event, and a delivery for each active subscription of its organization that lists the type and whose
 * filters let it through.
 *
 * @returns the ids of these subscriptions
 */
async function record(tx: Transaction, event: NewEvent): Promise<string[]> {
  const id = uuidv7(); // This one never goes back within a millisecond, so events keep their order.
  const createdAt = new Date();
  const rows = await tx.$queryRaw<{ subscriptionId: string }[]>`
    WITH event AS (
      INSERT INTO events (id, organization_id, type, chatbot_id, body, created_at)
      VALUES (${id}::uuid, ${event.organizationId}::uuid, ${event.type}, ${event.chatbotId}::uuid,
              ${eventBody(id, event, createdAt)}, ${createdAt.toISOString()}::timestamptz)
      RETURNING id, organization_id, type, chatbot_id
    )
    INSERT INTO deliveries (organization_id, subscription_id, event_id)
    SELECT event.organization_id, subscriptions.id, event.id
    FROM event JOIN subscriptions USING (organization_id)
    WHERE subscriptions.status = 'active'
      AND event.type = ANY (subscriptions.event_types)
      AND (subscriptions.chatbot_id IS NULL OR subscriptions.chatbot_id = event.chatbot_id)
    RETURNING subscription_id AS "subscriptionId"`;
  return rows.map((row) => row.subscriptionId);
}
