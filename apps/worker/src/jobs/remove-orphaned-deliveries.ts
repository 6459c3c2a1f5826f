import type { Pool } from "pg";
import { deleteInBatches } from "./delete-in-batches.ts";

/** DELETE statements for at most `$1` rows of the subscription `$2`, by table. */
const deletions = {
  deliveries: `
    DELETE FROM deliveries WHERE id IN (
      SELECT id FROM deliveries WHERE subscription_id = $2 LIMIT $1)`,

  delivery_attempts: `
    DELETE FROM delivery_attempts WHERE (delivery_id, attempt, attempted_at) IN (
      SELECT delivery_id, attempt, attempted_at FROM delivery_attempts WHERE subscription_id = $2 LIMIT $1)`,

  delivery_counts: `
    DELETE FROM delivery_counts WHERE (subscription_id, hour) IN (
      SELECT subscription_id, hour FROM delivery_counts WHERE subscription_id = $2 LIMIT $1)`,
};

/**
 * Deletes the pending deliveries, logged attempts and counts of deleted subscriptions. These tables have no foreign key (see
 * schema.prisma), and an event that is recorded during the deletion may create a delivery.
 */
export async function removeOrphanedDeliveries(db: Pool): Promise<void> {
  for (const [table, sql] of Object.entries(deletions)) {
    for (const id of await findDeletedSubscriptions(db, table)) await deleteInBatches(db, sql, [id]);
  }
}

/**
 * Finds deleted subscriptions. It skips through the index from one subscription to the next, so the cost does not
 * depend on the number of rows.
 */
async function findDeletedSubscriptions(db: Pool, table: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(`
    WITH RECURSIVE known AS (
      (SELECT subscription_id AS id FROM ${table} ORDER BY subscription_id LIMIT 1)
      UNION ALL
      SELECT (SELECT subscription_id FROM ${table} WHERE subscription_id > known.id ORDER BY subscription_id LIMIT 1)
      FROM known WHERE known.id IS NOT NULL
    )
    SELECT id FROM known
    WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE subscriptions.id = known.id)`);
  return rows.map(({ id }) => id);
}
