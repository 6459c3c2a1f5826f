import type { Pool } from "pg";
import { NIL } from "uuid";
import { isUnneeded, removeUnneeded } from "./remove-unneeded-events.ts";

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
    const done: { removed: number; last: { id: string } | undefined } = await removeUnneeded(db, {
      text: `SELECT id FROM events e WHERE id > $1 AND id < $2 AND ${isUnneeded}
             ORDER BY id LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
      values: [after, end],
    });
    removed += done.removed;
    after = done.last?.id;
  }
  return removed;
}
