import { randomUUIDv7 } from "node:crypto";
import type { Client } from "pg";

/** The chatbot whose events one subscription of each organization asks for. */
export interface Audience {
  organizationId: string;
  chatbotId: string;
}

/** An organization with so many subscriptions, each for a chatbot of its own. Nothing is ever sent to them. */
export async function createAudience(client: Client, subscriptions: number): Promise<Audience> {
  const [organizationId, chatbotId] = [randomUUIDv7(), randomUUIDv7()];
  await client.query("INSERT INTO organizations (id, name, plan) VALUES ($1, 'Audience', 'business')", [
    organizationId,
  ]);
  await client.query(
    `WITH chatbot AS (
       INSERT INTO chatbots (id, organization_id, name, model)
       SELECT CASE number WHEN 1 THEN $2 ELSE uuidv7() END, $1, 'Bot', 'parley-small'
       FROM generate_series(1, $3::int) AS number RETURNING id
     ), subscription AS (
       INSERT INTO subscriptions (organization_id, target_url, event_types, chatbot_id, secret)
       SELECT $1, 'https://example.com/hook', '{lead.created}', id, '' FROM chatbot RETURNING id
     )
     INSERT INTO subscription_queues (subscription_id) SELECT id FROM subscription`,
    [organizationId, chatbotId, subscriptions],
  );
  return { organizationId, chatbotId };
}

/** Removes all events, so that every round begins alike. */
export async function empty(client: Client): Promise<void> {
  await client.query("TRUNCATE events, deliveries");
  await client.query("VACUUM ANALYZE events, deliveries, subscriptions, subscription_routes");
  await client.query("CHECKPOINT");
}
