import type { Pool } from "pg";

interface Column {
  table: string;
  column: string;
  isBytes: boolean;
}

/** Returns all columns of all tables that can contain text, from the catalog. Partitioned tables include their partitions. */
async function columnsOf(db: Pool): Promise<Column[]> {
  const { rows } = await db.query<Column>(`
    SELECT format('%I.%I', nspname, relname) AS table, quote_ident(attname) AS column, typname = 'bytea' AS "isBytes"
    FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    JOIN pg_type ON pg_type.oid = atttypid
    WHERE relkind IN ('r', 'p', 'm') AND NOT relispartition AND attnum > 0 AND NOT attisdropped
      AND nspname NOT IN ('pg_catalog', 'information_schema')
      AND (typcategory IN ('S', 'A', 'U', 'C') OR typname IN ('json', 'jsonb', 'bytea', 'jsonpath'))
    ORDER BY 1, 2`);
  return rows;
}

/**
 * Returns the columns with a value that contains one of the texts, ignoring upper and lower case.
 *
 * @param except text that is removed from the values before, because it contains one of the texts
 * @param decrypt returns the text of encrypted bytes; null for others
 */
export async function findText(
  db: Pool,
  texts: string[],
  except: string,
  decrypt: (bytes: Buffer) => string | null,
): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column, isBytes } of await columnsOf(db)) {
    const contains = isBytes
      ? await bytesContain(db, table, column, texts, except, decrypt)
      : await valuesContain(db, table, column, texts, except);
    if (contains) found.push(`${table.replace("public.", "")}.${column}`);
  }
  return found;
}

async function valuesContain(
  db: Pool,
  table: string,
  column: string,
  texts: string[],
  except: string,
): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM ${table} WHERE EXISTS (
       SELECT FROM unnest($1::text[]) AS part WHERE strpos(replace(lower(${column}::text), $2, ''), part) > 0) LIMIT 1`,
    [texts, except],
  );
  return rows.length > 0;
}

async function bytesContain(
  db: Pool,
  table: string,
  column: string,
  texts: string[],
  except: string,
  decrypt: (bytes: Buffer) => string | null,
): Promise<boolean> {
  const { rows } = await db.query<{ value: Buffer }>(
    `SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  return rows.some(({ value }) => {
    const text = `${value.toString("latin1")} ${decrypt(value) ?? ""}`.toLowerCase().replaceAll(except, "");
    return texts.some((part) => text.includes(part));
  });
}
