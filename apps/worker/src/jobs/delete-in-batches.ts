import type { Pool } from "pg";

const batch = 1_000;

/**
 * Deletes rows in batches, so that locks are short and transactions small.
 *
 * @param sql DELETE statement for at most `$1` rows; further parameters begin with `$2`
 */
export async function deleteInBatches(db: Pool, sql: string, parameters: unknown[] = []): Promise<void> {
  for (let deleted = batch; deleted === batch; ) {
    const { rowCount } = await db.query(sql, [batch, ...parameters]);
    deleted = rowCount ?? 0;
  }
}
