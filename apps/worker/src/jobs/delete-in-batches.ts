import type { Pool } from "pg";

const batch = 1_000;

/**
 * Deletes what nobody needs any more, a batch at a time, so that no lock is held long and no transaction grows.
 *
 * @param sql a DELETE that takes at most `$1` rows; further parameters begin with `$2`
 */
export async function deleteInBatches(db: Pool, sql: string, parameters: unknown[] = []): Promise<void> {
  for (let deleted = batch; deleted === batch; ) {
    const { rowCount } = await db.query(sql, [batch, ...parameters]);
    deleted = rowCount ?? 0;
  }
}
