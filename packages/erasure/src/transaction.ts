import type { Pool, PoolClient } from "pg";

/** PostgreSQL's code for a deadlock. */
const deadlock = "40P01";

/** Runs statements in a transaction. Repeats the transaction after a deadlock with another change. */
export async function inTransaction<Result>(
  db: Pool,
  run: (tx: PoolClient) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const tx = await db.connect();
    try {
      await tx.query("BEGIN");
      const result = await run(tx);
      await tx.query("COMMIT");
      tx.release();
      return result;
    } catch (error) {
      tx.release(true); // Closing the connection rolls back the transaction.
      if ((error as { code?: string }).code !== deadlock) throw error;
    }
  }
}

/** Adds numbers to the report of an erasure, in the transaction that removes the rows. */
export async function addToReport(
  tx: PoolClient,
  erasureId: string,
  counts: Record<string, number>,
): Promise<void> {
  await tx.query(
    `UPDATE erasures SET report = report || (
       SELECT jsonb_object_agg(key, coalesce((report ->> key)::bigint, 0) + value::bigint) FROM jsonb_each_text($2::jsonb))
     WHERE id = $1`,
    [erasureId, JSON.stringify(counts)],
  );
}

/** Stores the IDs of removed records or events, to find later what refers to them. */
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
}
