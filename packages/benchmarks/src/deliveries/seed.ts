import { randomUUIDv7 } from "node:crypto";
import type { Client } from "pg";
import type { Subscriber } from "../harness/seed-subscriptions.ts";
import { leadCreatedBody } from "./body.ts";

/** One delivery, as its row is made and as the bare loop needs it. */
export interface Due extends Subscriber {
  id: string;
  eventId: string;
  eventType: string;
  body: string;
}

/** So many deliveries, each of an event of its own, for the subscribers in turn. */
export function createDue(subscribers: Subscriber[], count: number): Due[] {
  return Array.from({ length: count }, (_, i) => {
    const subscriber = subscribers[i % subscribers.length];
    if (!subscriber) throw new Error("there are no subscriptions");
    const eventId = randomUUIDv7();
    const body = leadCreatedBody(eventId, i);
    return { ...subscriber, id: randomUUIDv7(), eventId, eventType: "lead.created", body };
  });
}

const batch = 10_000;

/** Replaces all events, deliveries and attempts of today by these, due now. */
export async function seedDeliveries(client: Client, due: Due[]): Promise<void> {
  const { rows } = await client.query<{ tables: string }>(emptied);
  await client.query(`TRUNCATE ${rows[0]?.tables}`);
  for (let i = 0; i < due.length; i += batch) await insert(client, due.slice(i, i + batch));
  await client.query("VACUUM ANALYZE events, deliveries, subscription_queues");
  await client.query("CHECKPOINT");
}

/** Of the log the days before today stay. */
const emptied = `
  SELECT concat_ws(', ', 'events', 'deliveries', string_agg(inhrelid::regclass::text, ', ')) AS tables
  FROM pg_inherits
  WHERE inhparent = 'delivery_attempts'::regclass
    AND inhrelid::regclass::text >= 'delivery_attempts_' || to_char(current_date, 'YYYYMMDD')`;

async function insert(client: Client, due: Due[]): Promise<void> {
  await client.query(
    `WITH new AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[])
         AS new (event_id, organization_id, subscription_id, delivery_id, body)
     ), event AS (
       INSERT INTO events (id, organization_id, type, body, created_at)
       SELECT event_id, organization_id, 'lead.created', body, now() FROM new
     )
     INSERT INTO deliveries (id, organization_id, subscription_id, event_id)
     SELECT delivery_id, organization_id, subscription_id, event_id FROM new`,
    [
      due.map((one) => one.eventId),
      due.map((one) => one.organizationId),
      due.map((one) => one.subscriptionId),
      due.map((one) => one.id),
      due.map((one) => one.body),
    ],
  );
}
