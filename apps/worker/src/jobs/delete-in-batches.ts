import { repeatOnConflict } from "@parley/database";
import type { Pool } from "pg";

/** Maximum number of repetitions of a batch after a conflict. */
const mostRepetitions = 5;

/** Rows to delete. `where` and `orderBy` are SQL. */
interface Deletable {
  table: string;
  key: string;
  where: string;
  /** Default: any order. */
  orderBy?: string;
}

/**
 * Returns the statement that deletes at most `$1` of the unlocked rows. PostgreSQL computes an array once;
 * it may repeat a subquery of IN for each row, which then locks and deletes others than those of the batch.
 */
export function deleteUnlocked({ table, key, where, orderBy }: Deletable): string {
  return `DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(
    SELECT ${key} FROM ${table} AS old WHERE ${where} ${orderBy ? `ORDER BY ${orderBy}` : ""} LIMIT $1 FOR UPDATE SKIP LOCKED))`;
}

/**
 * Deletes rows in batches, so that locks are short and transactions small. Repeats a batch after a conflict with another change.
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
    const { rowCount } = await repeatOnConflict(() => db.query(sql, [batch, ...parameters]), mostRepetitions);
    deleted = rowCount ?? 0;
  }
}
