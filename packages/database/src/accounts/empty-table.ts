import type { Database } from "../client.ts";
import { driverError } from "../unavailable.ts";
import type { OrganizationTable } from "./organization-tables.ts";

/** Approximate number of rows per page, to convert a batch size to a range of pages. */
const rowsPerPage = 50;

/**
 * Deletes the rows of an organization from a table, in short transactions of about `batchSize` rows.
 *
 * @returns number of deleted rows
 */
export async function emptyTable(
  db: Database,
  table: OrganizationTable,
  organizationId: string,
  batchSize: number,
): Promise<number> {
  try {
    return await (table.indexed ? emptyByIndex : emptyByPages)(db, table, organizationId, batchSize);
  } catch (error) {
    if (isMissingTable(error)) return 0; // A scheduled job drops old partitions of the delivery log.
    throw error;
  }
}

async function emptyByIndex(
  db: Database,
  { name, condition }: OrganizationTable,
  organizationId: string,
  batchSize: number,
): Promise<number> {
  const sql = `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${condition} LIMIT $2::int))`;
  let total = 0;
  for (;;) {
    const deleted = await db.$executeRawUnsafe(sql, organizationId, batchSize);
    if (deleted === 0) return total;
    total += deleted;
  }
}

/** Deletes by ranges of pages, which reads the table once. Without an index, each batch of rows would scan it from the start. */
async function emptyByPages(
  db: Database,
  { name, condition }: OrganizationTable,
  organizationId: string,
  batchSize: number,
): Promise<number> {
  const sql = `DELETE FROM ${name} WHERE ctid >= $2::text::tid AND ctid < $3::text::tid AND ${condition}`;
  const pages = await countPages(db, name);
  const range = Math.max(1, Math.floor(batchSize / rowsPerPage));
  let total = 0;
  for (let page = 0; page < pages; page += range) {
    total += await db.$executeRawUnsafe(sql, organizationId, `(${page},0)`, `(${page + range},0)`);
  }
  return total;
}

async function countPages(db: Database, name: string): Promise<number> {
  const [size] = await db.$queryRaw<{ pages: number }[]>`
    SELECT (pg_relation_size(${name}::regclass) / current_setting('block_size')::int)::float8 AS pages`;
  return size?.pages ?? 0;
}

function isMissingTable(error: unknown): boolean {
  return driverError(error)?.cause?.kind === "TableDoesNotExist";
}
