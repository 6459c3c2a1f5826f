import type { Pool } from "pg";

/** PostgreSQL's code for a deadlock. */
const deadlock = "40P01";

/**
 * Deletes rows in batches, so that locks are short and transactions small. Repeats a batch after a deadlock with another change.
 *
 * @param sql DELETE statement for at most `$1` rows; further parameters begin with `$2`
 * @param batch rows per statement
 */
export async function deleteInBatches(
  db: Pool,
  sql: string,
  parameters: unknown[] = [],
  batch = 1_000,
): Promise<void> {
  for (let deleted = batch; deleted === batch; ) {
    try {
      const { rowCount } = await db.query(sql, [batch, ...parameters]);
      deleted = rowCount ?? 0;
    } catch (error) {
      if ((error as { code?: string }).code !== deadlock) throw error;
    }
  }
}
