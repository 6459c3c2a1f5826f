import { repeatOnConflict } from "@parley/database";
import type { Pool, PoolClient } from "pg";
import type { OpenErasure, Report } from "./erasure.ts";

/** Maximum number of repetitions of a transaction after a conflict. */
const mostRepetitions = 5;

/**
 * Runs statements in a transaction. Repeats the transaction after a conflict with another change.
 *
 * @throws if the erasure was stopped meanwhile
 */
export function inTransaction<Result>(
  db: Pool,
  { signal }: OpenErasure,
  run: (tx: PoolClient) => Promise<Result>,
): Promise<Result> {
  return repeatOnConflict(async () => {
    const tx = await db.connect();
    try {
      await tx.query("BEGIN");
      const result = await run(tx);
      signal.throwIfAborted();
      await tx.query("COMMIT");
      tx.release();
      return result;
    } catch (error) {
      tx.release(true); // Closing the connection rolls back the transaction.
      throw error;
    }
  }, mostRepetitions);
}

/** Adds numbers to the report of an erasure, in the transaction that removes the rows. */
export async function addToReport(tx: PoolClient, erasureId: string, counts: Partial<Report>): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE erasures SET report = report || (
       SELECT jsonb_object_agg(key, coalesce((report ->> key)::bigint, 0) + value::bigint) FROM jsonb_each_text($2::jsonb))
     WHERE id = $1 AND status <> 'completed'`,
    [erasureId, JSON.stringify(counts)],
  );
  if (rowCount === 0)
    throw new Error("the erasure was completed by another worker, or its organization was deleted");
}

/** Runs a statement that removes rows, and adds their number to the report. @returns number of removed rows */
export function removeRows(
  db: Pool,
  erasure: OpenErasure,
  kind: keyof Report,
  sql: string,
  values: unknown[],
): Promise<number> {
  return inTransaction(db, erasure, async (tx) => {
    const { rowCount } = await tx.query(sql, values);
    await addToReport(tx, erasure.id, { [kind]: rowCount ?? 0 });
    return rowCount ?? 0;
  });
}

/**
 * Stores the IDs of removed records or events, to find later what refers to them. After records that are older than the last search, the
 * next one reads all events and logs again.
 */
export async function keepIds(
  tx: PoolClient,
  erasureId: string,
  ids: string[],
  isEvent: boolean,
): Promise<void> {
  await tx.query(
    "INSERT INTO erased_ids (erasure_id, id, is_event) SELECT $1, unnest($2::uuid[]), $3 ON CONFLICT DO NOTHING",
    [erasureId, ids, isEvent],
  );
  if (isEvent) return;
  await tx.query(
    `UPDATE erasures SET searched_until = NULL WHERE id = $1 AND EXISTS (
       SELECT FROM unnest($2::uuid[]) AS record (id) WHERE uuid_extract_timestamp(record.id) < searched_until)`,
    [erasureId, ids],
  );
}
