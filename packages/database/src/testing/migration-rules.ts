import type { Client } from "pg";
import { type Migration, removesFromEarlierVersions } from "../migrate/migration-files.ts";

/** What a database contains, as far as earlier versions of Parley depend on it. */
interface Catalog {
  /** Columns of all tables, by `table.column`. */
  columns: Map<string, Column>;
  functions: Set<string>;
  /** Files of tables and their indexes by name. A table whose rows are written again gets another file. */
  files: Map<string, string>;
  /** Names of indexes, with the table of each. */
  indexes: Map<string, string>;
  /** Number of full reads of each table so far. */
  fullReads: Map<string, number>;
}

interface Column {
  type: string;
  notNull: boolean;
  hasDefault: boolean;
}

/** Statements that run without a transaction, and block no writes. */
const concurrent =
  /^(create (unique )?index concurrently|drop index concurrently|alter table \S+ validate constraint|analyze)\b/i;

/**
 * Applies a migration, and returns why it must not run while the previous version of Parley serves requests. Reasons are that it blocks
 * writes for a time that grows with a table, or that it removes what the previous version needs. It compares the database before and
 * after, so it finds what a statement really does.
 *
 * @param client a connection to a database with all earlier migrations
 * @param end how the transaction of the migration ends, if it has one
 */
export async function findProblems(
  client: Client,
  migration: Migration,
  end: "COMMIT" | "ROLLBACK" = "COMMIT",
): Promise<string[]> {
  return migration.inTransaction
    ? checkTransaction(client, migration, end)
    : checkStatement(client, migration);
}

async function checkTransaction(client: Client, { name, sql }: Migration, end: string): Promise<string[]> {
  await client.query("BEGIN");
  const before = await readCatalog(client);
  await client.query(sql);
  const after = await readCatalog(client);
  await client.query(end);
  return [
    ...findBlocking(before, after),
    ...(removesFromEarlierVersions(name) ? [] : findRemoved(before, after)),
  ];
}

async function checkStatement(client: Client, { name, sql }: Migration): Promise<string[]> {
  const statement = sql.replace(/^--.*$/gm, "").trim();
  if (!concurrent.test(statement)) {
    return [
      "only CREATE INDEX CONCURRENTLY, DROP INDEX CONCURRENTLY, VALIDATE CONSTRAINT and ANALYZE run without a transaction",
    ];
  }
  const before = await readCatalog(client);
  await client.query(sql);
  return removesFromEarlierVersions(name) ? [] : findRemoved(before, await readCatalog(client));
}

function findBlocking(before: Catalog, after: Catalog): string[] {
  const problems: string[] = [];
  const tables = new Set([...before.columns.keys()].map(tableOf));
  for (const [relation, file] of before.files) {
    const now = after.files.get(relation);
    if (now !== undefined && now !== file)
      problems.push(`writes all rows of ${relation} again while it is locked`);
  }
  for (const [index, table] of after.indexes) {
    if (tables.has(table) && !before.indexes.has(index)) {
      problems.push(`creates ${index} while ${table} is locked: use CREATE INDEX CONCURRENTLY`);
    }
  }
  for (const table of tables) {
    if ((after.fullReads.get(table) ?? 0) > (before.fullReads.get(table) ?? 0)) {
      problems.push(
        `reads all rows of ${table}: add constraints as NOT VALID, and change rows in batches with a job`,
      );
    }
  }
  return problems;
}

function findRemoved(before: Catalog, after: Catalog): string[] {
  const problems: string[] = [];
  for (const [name, column] of before.columns) {
    const now = after.columns.get(name);
    if (!now) problems.push(`removes ${name}`);
    else if (now.type !== column.type) problems.push(`changes the type of ${name}`);
    else if (now.notNull && !column.notNull) problems.push(`forbids null in ${name}`);
    else if (column.hasDefault && !now.hasDefault) problems.push(`removes the default of ${name}`);
  }
  for (const name of before.functions) {
    if (!after.functions.has(name)) problems.push(`removes the function ${name}`);
  }
  const tables = new Set([...before.columns.keys()].map(tableOf));
  for (const [name, column] of after.columns) {
    if (before.columns.has(name) || !tables.has(tableOf(name))) continue;
    if (column.notNull && !column.hasDefault)
      problems.push(`adds ${name}, which the previous version does not set`);
  }
  return problems;
}

function tableOf(column: string): string {
  return column.slice(0, column.indexOf("."));
}

async function readCatalog(client: Client): Promise<Catalog> {
  const rows = async <Row>(sql: string) => (await client.query(sql)).rows as Row[];
  const columns = await rows<Column & { name: string }>(`
    SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "notNull",
      a.atthasdef OR a.attidentity <> '' AS "hasDefault"
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
      AND a.attnum > 0 AND NOT a.attisdropped`);
  const functions = await rows<{ name: string }>(`
    SELECT p.oid::regprocedure::text AS name FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`);
  const files = await rows<{ name: string; file: string }>(`
    SELECT relname AS name, pg_relation_filenode(oid)::text AS file FROM pg_class
    WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace`);
  const indexes = await rows<{ name: string; table: string }>(`
    SELECT i.relname AS name, t.relname AS table FROM pg_index x
    JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    WHERE t.relnamespace = 'public'::regnamespace`);
  const reads = await rows<{ name: string; reads: number }>(
    "SELECT relname AS name, seq_scan::float8 AS reads FROM pg_stat_xact_user_tables",
  );
  return {
    columns: new Map(columns.map(({ name, ...column }) => [name, column])),
    functions: new Set(functions.map(({ name }) => name)),
    files: new Map(files.map(({ name, file }) => [name, file])),
    indexes: new Map(indexes.map(({ name, table }) => [name, table])),
    fullReads: new Map(reads.map((row) => [row.name, row.reads])),
  };
}
