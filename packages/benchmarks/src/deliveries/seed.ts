import { randomUUIDv7 } from "node:crypto";
import type { Subscriber } from "../harness/seed-subscriptions.ts";
import { withClient } from "../harness/with-client.ts";
import { leadCreatedBody } from "./body.ts";

/** One delivery that is due, as the bare loop needs it. */
export interface Due {
  id: string;
  eventType: string;
  body: string;
  secret: string;
}

/** Replaces all events, deliveries and attempts by `count` new events with a delivery each, due now. */
export async function seedDeliveries(
  databaseUrl: string,
  subscribers: Subscriber[],
  count: number,
): Promise<Due[]> {
  const rows = Array.from({ length: count }, (_, i) => {
    const subscriber = subscribers[i % subscribers.length];
    if (!subscriber) throw new Error("there are no subscriptions");
    const eventId = randomUUIDv7();
    return { ...subscriber, eventId, deliveryId: randomUUIDv7(), body: leadCreatedBody(eventId, i) };
  });
  await withClient(databaseUrl, async (client) => {
    await client.query("TRUNCATE events, deliveries, delivery_attempts");
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
        rows.map((row) => row.eventId),
        rows.map((row) => row.organizationId),
        rows.map((row) => row.subscriptionId),
        rows.map((row) => row.deliveryId),
        rows.map((row) => row.body),
      ],
    );
    await client.query("VACUUM ANALYZE events, deliveries, delivery_attempts");
    await client.query("CHECKPOINT");
  });
  return rows.map(({ deliveryId, body, secret }) => ({
    id: deliveryId,
    eventType: "lead.created",
    body,
    secret,
  }));
}
