import type { Client } from "pg";

/** Days that the log is kept by default; all but today are filled. */
const days = 30;

/**
 * Fills the log with deliveries of the days before today, in the partitions that the retention leaves.
 *
 * @param subscriptionId subscription that gets them; default: all in turn
 * @returns the size of the log
 */
export async function fillLog(client: Client, count: number, subscriptionId?: string): Promise<string> {
  await client.query("SELECT parley_add_log_days('delivery_attempts', current_date - $1::int, $1)", [days]);
  for (let daysAgo = 1; daysAgo < days; daysAgo += 1) {
    await client.query(
      `WITH subscriber AS (
         SELECT array_agg(id) AS ids, array_agg(organization_id) AS organizations FROM subscriptions
         WHERE $3::uuid IS NULL OR id = $3
       )
       INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id,
                                      event_type, outcome, duration_ms, status_code, response_body)
       SELECT uuidv7(at - now()), 1, at, organizations[place], ids[place], uuidv7(at - now()), 'lead.created',
              'delivered', number % 900, 200, 'ok'
       FROM subscriber, generate_series(1, $2::int) AS number,
            LATERAL (SELECT current_date - $1::int + number * interval '1 day' / ($2 + 1) AS at,
                            1 + number % cardinality(ids) AS place)`,
      [daysAgo, Math.ceil(count / (days - 1)), subscriptionId],
    );
  }
  await client.query("VACUUM ANALYZE delivery_attempts");
  await client.query("CHECKPOINT");
  const { rows } = await client.query<{ size: string }>(
    `SELECT pg_size_pretty(sum(pg_total_relation_size(inhrelid))) AS size
     FROM pg_inherits WHERE inhparent = 'delivery_attempts'::regclass`,
  );
  return rows[0]?.size ?? "";
}
