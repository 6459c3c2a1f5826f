import type { Pool } from "pg";
import { NIL } from "uuid";

const batch = 1_000;

/**
 * Removes events that are older than `keepDays`, a batch at a time. One that a delivery still needs, be it due or held, stays.
 * Ids are UUIDv7, so the old ones stand together at the beginning of the primary key.
 *
 * @returns how many were removed
 */
export async function removeOldEvents(db: Pool, keepDays: number): Promise<number> {
  const { rows } = await db.query<{ end: string }>(`SELECT uuidv7(make_interval(days => -$1::int)) AS end`, [
    keepDays,
  ]);
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
 * In two statements, since who makes a new delivery of an old event locks that event first: what this one has locked gets no
 * delivery any more, and what got one before is seen by the second statement.
 *
 * @returns the id of the last event that was looked at; undefined when there was none
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
    client.release(true); // Ending the connection rolls back.
    throw error;
  }
}
