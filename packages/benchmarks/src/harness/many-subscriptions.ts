import { randomUUIDv7 } from "node:crypto";
import type { Client } from "pg";

export interface Subscriptions {
  organizationId: string;
  /** The chatbot of one subscription. */
  chatbotId: string;
}

/** Creates an organization with this many subscriptions, each to one chatbot. Nothing is sent to them. */
export async function createSubscriptions(client: Client, count: number): Promise<Subscriptions> {
  const [organizationId, chatbotId] = [randomUUIDv7(), randomUUIDv7()];
  await client.query("INSERT INTO organizations (id, name, plan) VALUES ($1, 'Organization', 'business')", [
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
    [organizationId, chatbotId, count],
  );
  return { organizationId, chatbotId };
}

/**
 * Replaces the filters of an organization's subscriptions by a condition: another chatbot for each, so that an event matches one of
 * them, but is compared with all.
 */
export async function filterByConditions(client: Client, { organizationId }: Subscriptions): Promise<void> {
  await client.query(
    `UPDATE subscriptions SET chatbot_id = NULL, conditions = '[]',
       conditions_path = format('(exists($."data"."attributes"."chatbot_id" ? (@ == "%s")))', chatbot_id)
     WHERE organization_id = $1`,
    [organizationId],
  );
}
