import type { Pool } from "pg";

const batch = 5_000;

/** Removes answers that nobody can ask for any more, a batch at a time, so that no lock is held long. */
export async function forgetIdempotencyKeys(db: Pool): Promise<void> {
  for (let removed = batch; removed === batch; ) {
    const { rowCount } = await db.query(
      `DELETE FROM idempotency_keys WHERE (organization_id, key) IN (
         SELECT organization_id, key FROM idempotency_keys WHERE created_at < now() - interval '24 hours' LIMIT $1)`,
      [batch],
    );
    removed = rowCount ?? 0;
  }
}
