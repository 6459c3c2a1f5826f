import type { Pool } from "pg";

/** Returns how many rows a table can have at most, by its size, without reading it. @param bytes minimum size of a row */
export async function mostRows(db: Pool, table: string, bytes: number): Promise<number> {
  const { rows } = await db.query<{ most: number }>(
    "SELECT (pg_relation_size($1) / $2::int)::float8 AS most",
    [table, bytes],
  );
  return rows[0]?.most ?? 0;
}
