import type { Pool } from "pg";
import { type Actor, recordChange } from "./accounts/actor.ts";
import type { Database } from "./client.ts";

/** Maximum number of changes that one transaction adds to the counts. */
const batch = 10_000;

/**
 * Adds the changes that writers have inserted in `record_count_changes` to `record_counts`, in short transactions.
 * Returns the number of changes. Several processes may call it at the same time.
 */
export async function foldRecordCounts(db: Pick<Pool, "query">): Promise<number> {
  for (let total = 0; ; ) {
    const { rows } = await db.query<{ folded: number }>("SELECT fold_record_counts($1) AS folded", [batch]);
    const folded = rows[0]?.folded ?? 0;
    total += folded;
    if (folded < batch) return total;
  }
}

/** Adds up to 10,000 changes through Prisma. */
export async function foldSomeRecordCounts(db: Pick<Database, "$queryRaw">): Promise<void> {
  await db.$queryRaw`SELECT fold_record_counts(${batch}::int)`;
}

/** A difference between a count and the records in the table. */
export interface WrongCount {
  organizationId: string;
  kind: string;
  /** The nil UUID for records without a chatbot. */
  chatbotId: string;
  status: string;
  /** Number of records in the table. */
  records: number;
  /** Number according to the counts. */
  count: number;
}

const differences = `
  WITH counts AS (
    SELECT organization_id, kind, chatbot_id, status, sum(count) AS count
    FROM (SELECT organization_id, kind, chatbot_id, status, count FROM record_counts
          UNION ALL SELECT organization_id, kind, chatbot_id, status, change FROM record_count_changes) AS parts
    GROUP BY organization_id, kind, chatbot_id, status
  ), difference AS (
    SELECT organization_id, kind, chatbot_id, status,
           coalesce(records.count, 0) AS records, coalesce(counts.count, 0) AS count
    FROM (SELECT organization_id, kind, chatbot_id, status, sum(count) AS count FROM counted_records
          GROUP BY organization_id, kind, chatbot_id, status) AS records
    FULL JOIN counts USING (organization_id, kind, chatbot_id, status)
    WHERE coalesce(records.count, 0) <> coalesce(counts.count, 0)
  )`;

const columns = `organization_id AS "organizationId", kind, chatbot_id AS "chatbotId", status,
  records::float8 AS records, count::float8 AS count`;

/** Compares all counts with the tables, in one snapshot. Reads every record. */
export async function findWrongCounts(db: Pick<Database, "$queryRawUnsafe">): Promise<WrongCount[]> {
  return db.$queryRawUnsafe<WrongCount[]>(
    `${differences} SELECT ${columns} FROM difference ORDER BY 1, 2, 3, 4`,
  );
}

/** Time for reading every record, in milliseconds. */
const repairTimeoutMs = 24 * 3_600_000;

/**
 * Corrects the counts while other processes write. It inserts the differences in one snapshot as changes, and records the repair in the
 * audit log.
 *
 * @returns the differences that it corrected
 */
export async function repairCounts(db: Pick<Database, "$transaction">, by: Actor): Promise<WrongCount[]> {
  return db.$transaction(
    async (tx) => {
      const corrected = await insertDifferences(tx);
      const details = { corrected: corrected.length };
      if (corrected.length > 0) await recordChange(tx, by, { event: "counts.repaired", details });
      return corrected;
    },
    { timeout: repairTimeoutMs },
  );
}

function insertDifferences(db: Pick<Database, "$queryRawUnsafe">): Promise<WrongCount[]> {
  return db.$queryRawUnsafe<WrongCount[]>(`${differences}, corrected AS (
      INSERT INTO record_count_changes (organization_id, kind, chatbot_id, status, change)
      SELECT organization_id, kind, chatbot_id, status, records - count FROM difference
    )
    SELECT ${columns} FROM difference ORDER BY 1, 2, 3, 4`);
}
