import type { Client } from "pg";
import { withClient } from "../harness/with-client.ts";

/**
 * Makes the database's clock movable for the connections of `withMovableClock`: functions of the same names are found
 * before PostgreSQL's own. Columns' defaults go on with the true time.
 */
export async function installClock(client: Client): Promise<void> {
  await client.query(`
    CREATE SCHEMA moved;
    CREATE TABLE moved.clock (ahead interval NOT NULL);
    INSERT INTO moved.clock VALUES ('0');
    CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM moved.clock';
    CREATE FUNCTION moved.now() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT pg_catalog.now() + ahead FROM moved.clock'`);
}

export function withMovableClock(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-c search_path=moved,public,pg_catalog");
  return url.href;
}

/** @param ahead of the machine's clock, for example `1 hour` or `-5 seconds` */
export async function moveDatabaseClock(databaseUrl: string, ahead: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query("UPDATE moved.clock SET ahead = $1::interval", [ahead]),
  );
}
