import type { Pool } from "pg";
import { NIL } from "uuid";

const batch = 1_000;

/**
 * Removes events older than `keepDays` without pending deliveries, in batches. IDs are UUIDv7, so old events are at the beginning of
 * the primary key.
 *
 * @returns number of removed events
 */
export async function removeOldEvents(db: Pool, keepDays: number): Promise<number> {
  // First, so that readers of the event feed never skip events that are removed at the same time.
  const { rows } = await db.query<{ end: string }>(
    `UPDATE event_retention SET removed_before = greatest(removed_before, now() - make_interval(days => $1::int))
     RETURNING uuidv7(make_interval(days => -$1::int)) AS end`,
    [keepDays],
  );
  const end = rows[0]?.end;
  let removed = 0;
  let after: string | undefined = NIL;
  while (after && end) {
    const done = await removeBatch(db, after, end);
    removed += done.removed;
    after = done.last;
  }
  return removed;
}

/**
 * Removes a batch in two statements. Redelivery locks an event before it creates a delivery. Therefore events that are
 * locked here get no new delivery, and the second statement sees the deliveries that were created before.
 *
 * @returns ID of the last event of the batch; undefined if there was none
 */
async function removeBatch(
  db: Pool,
  after: string,
  end: string,
): Promise<{ removed: number; last: string | undefined }> {
  const client = await db.connect();
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM events WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED",
      [after, end, batch],
    );
    const ids = rows.map(({ id }) => id);
    const { rowCount } = await client.query(
      `DELETE FROM events e
       WHERE e.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id)`,
      [ids],
    );
    await client.query("COMMIT");
    client.release();
    return { removed: rowCount ?? 0, last: ids.at(-1) };
  } catch (error) {
    client.release(true); // Closing the connection rolls back the transaction.
    throw error;
  }
}
