import pg, { type Client } from "pg";

/**
 * Returns a text that differs between two databases if something was created or removed in one of them: schemas, relations, columns,
 * constraints, triggers, functions.
 */
export async function readSchema(client: Client): Promise<string> {
  const catalogs = ["pg_namespace", "pg_class", "pg_constraint", "pg_trigger", "pg_proc"];
  const counts = catalogs.map((catalog) => `(SELECT count(*) || ' ' || max(oid::bigint) FROM ${catalog})`);
  const columns = "(SELECT count(*) FROM pg_attribute WHERE NOT attisdropped)";
  const { rows } = await client.query<{ text: string }>(
    `SELECT concat_ws(', ', ${[...counts, columns].join(", ")}) AS text`,
  );
  return rows[0]?.text ?? "";
}

/**
 * Returns statements that give a copy of a database the rows of the original: they delete all rows without running triggers, insert the
 * rows that migrations inserted, and restart sequences.
 */
export async function readResetStatements(original: Client): Promise<string> {
  const tables = await names(
    original,
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> '_prisma_migrations'`,
  );
  const sequences = await names(
    original,
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'",
  );
  const statements = ["SET session_replication_role = replica"];
  for (const table of tables) {
    statements.push(`DELETE FROM ${table}`);
    const { rows } = await original.query<{ content: unknown }>(
      `SELECT json_agg(${table}) AS content FROM ${table}`,
    );
    if (rows[0]?.content === null) continue;
    const content = pg.escapeLiteral(JSON.stringify(rows[0]?.content));
    statements.push(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, ${content})`,
    );
  }
  for (const sequence of sequences) statements.push(`ALTER SEQUENCE ${sequence} RESTART`);
  return [...statements, "RESET session_replication_role"].join(";\n");
}

async function names(client: Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(sql);
  return rows.map(({ name }) => name);
}
