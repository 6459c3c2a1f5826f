import { randomUUIDv7 } from "node:crypto";
import { bucketBounds, bucketColumns } from "@parley/webhooks";
import type { Client } from "pg";

/** Number of rows, by table. */
export interface Sizes {
  attempts: number;
  events: number;
  pending: number;
}

/** Organization with nine tenths of the rows, and what its pages search for. */
export interface LargeOrganization {
  organizationId: string;
  subscriptionIds: string[];
  /** Event in the middle of the log, and its record. */
  eventId: string;
  recordId: string;
}

const days = 30;
const subscriptions = 20;
const smallOrganizations = 10;

/** Event of one in 5,000. The others are spread evenly. */
export const rareType = "usage.threshold_reached";
export const commonType = "lead.updated";

/**
 * Fills events, the log with its counts, and pending deliveries of 30 days. Ten records have most events; each event has an attempt for
 * several subscriptions of its organization. One attempt in 200 failed, and one in 2,000 deliveries is exhausted.
 */
export async function seedLog(client: Client, sizes: Sizes): Promise<LargeOrganization> {
  const large = await createOrganization(client, subscriptions);
  const small: string[] = [];
  for (let i = 0; i < smallOrganizations; i += 1)
    small.push((await createOrganization(client, 5)).organizationId);
  await client.query("SELECT parley_add_log_days('delivery_attempts', current_date - $1::int, $1)", [days]);
  for (let daysAgo = days - 1; daysAgo >= 0; daysAgo -= 1) {
    await seedDay(client, large.organizationId, small, daysAgo, sizes);
  }
  await seedPending(client, large, sizes.pending);
  await countAttempts(client);
  await client.query("VACUUM ANALYZE events, deliveries, delivery_attempts, delivery_counts, subscriptions");
  await client.query("CHECKPOINT");
  const { rows } = await client.query<{ id: string; recordId: string }>(
    `SELECT id, record_id AS "recordId" FROM events
     WHERE organization_id = $1 AND created_at < now() - interval '15 days' ORDER BY created_at DESC LIMIT 1`,
    [large.organizationId],
  );
  return { ...large, eventId: rows[0]?.id ?? "", recordId: rows[0]?.recordId ?? "" };
}

async function createOrganization(
  client: Client,
  count: number,
): Promise<Pick<LargeOrganization, "organizationId" | "subscriptionIds">> {
  const organizationId = randomUUIDv7();
  const { rows } = await client.query<{ id: string }>(
    `WITH organization AS (
       INSERT INTO organizations (id, name, plan) VALUES ($1, 'Organization', 'business') RETURNING id
     ), subscription AS (
       INSERT INTO subscriptions (organization_id, target_url, event_types, secret)
       SELECT id, 'https://example.com/' || number, '{*}', '' FROM organization, generate_series(1, $2::int) AS number RETURNING id
     )
     INSERT INTO subscription_queues (subscription_id, last_delivery_at) SELECT id, now() FROM subscription
     RETURNING subscription_id AS id`,
    [organizationId, count],
  );
  return { organizationId, subscriptionIds: rows.map(({ id }) => id) };
}

/** Fills a day with its events and their attempts. Today ends now. */
async function seedDay(
  client: Client,
  large: string,
  small: string[],
  daysAgo: number,
  { attempts, events }: Sizes,
): Promise<void> {
  const perEvent = Math.round(attempts / events);
  await client.query(
    `WITH day AS (
       SELECT current_date - $1::int AS start,
              CASE WHEN $1 = 0 THEN now() - current_date ELSE interval '1 day' END AS length
     ), subscriber AS (
       SELECT organization_id, array_agg(id ORDER BY id) AS ids FROM subscriptions GROUP BY 1
     ), new AS (
       SELECT uuidv7(at - clock_timestamp()) AS id, number, at,
              CASE WHEN number % 10 = 0 THEN ($4::uuid[])[1 + number / 10 % cardinality($4::uuid[])] ELSE $3::uuid END AS organization_id,
              CASE WHEN number % 5000 = 1 THEN $5 WHEN number % 3 = 0 THEN 'lead.created' ELSE $6 END AS type,
              md5((number / 8)::text || $1)::uuid AS record_id
       FROM day, generate_series(1, $2::int) AS number,
            LATERAL (SELECT start + number * length / ($2 + 1) AS at) AS time
     ), event AS (
       INSERT INTO events (id, organization_id, type, record_id, body, created_at)
       SELECT id, organization_id, type, record_id,
              '{"data":{"id":"' || record_id || '","attributes":{"text":"' || repeat('x', 500) || '"}}}', at FROM new
     )
     INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id, event_type,
                                    outcome, duration_ms, status_code, response_body)
     SELECT uuidv7(at - clock_timestamp()), 1, at + turn * interval '3 ms', organization_id,
            ids[1 + (number + turn * 3) % cardinality(ids)], new.id, type,
            CASE WHEN (number + turn) % 2000 = 7 THEN 'exhausted' WHEN (number + turn) % 200 = 5 THEN 'failed' ELSE 'delivered' END,
            exp(2 + (number * 7 + turn) % 50 / 10.0)::int, 200, 'ok'
     FROM new JOIN subscriber USING (organization_id), generate_series(1, $7::int) AS turn`,
    [daysAgo, Math.ceil(events / days), large, small, rareType, commonType, perEvent],
  );
}

/** Nine tenths are pending for the first subscription. Of these, one in 1,000 was tried. */
async function seedPending(
  client: Client,
  { organizationId, subscriptionIds }: Pick<LargeOrganization, "organizationId" | "subscriptionIds">,
  count: number,
): Promise<void> {
  await client.query(
    `INSERT INTO deliveries (id, organization_id, subscription_id, event_id, attempts, next_at)
     SELECT uuidv7(created_at - clock_timestamp()), organization_id,
            ($3::uuid[])[CASE WHEN number % 10 = 0 THEN 1 + number / 10 % cardinality($3::uuid[]) ELSE 1 END], id,
            CASE WHEN number % 1000 = 0 THEN 1 ELSE 0 END, created_at
     FROM (SELECT id, organization_id, created_at, row_number() OVER (ORDER BY created_at DESC) AS number FROM events
           WHERE organization_id = $1 ORDER BY created_at DESC LIMIT $2) AS event`,
    [organizationId, count, subscriptionIds],
  );
}

/** Counts the attempts in the log, as recording their results does. */
async function countAttempts(client: Client): Promise<void> {
  const buckets = bucketBounds.map(
    (bound, index) =>
      `count(*) FILTER (WHERE duration_ms <= ${bound} AND duration_ms > ${bucketBounds[index - 1] ?? -1})`,
  );
  await client.query(
    `INSERT INTO delivery_counts (subscription_id, organization_id, hour, delivered, failed, exhausted, ${bucketColumns.join(", ")})
     SELECT subscription_id, organization_id, date_trunc('hour', attempted_at, 'UTC') AS hour,
            count(*) FILTER (WHERE outcome = 'delivered'), count(*) FILTER (WHERE outcome = 'failed'),
            count(*) FILTER (WHERE outcome = 'exhausted'), ${buckets.join(", ")}
     FROM delivery_attempts GROUP BY 1, 2, 3 ORDER BY hour`,
  );
}
