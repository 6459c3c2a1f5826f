import type { PoolConfig } from "pg";

export interface ConnectionChoices {
  /** Connections held open at most; 10 unless given. */
  poolSize?: number;
  /** How long to wait for a connection, be it new or from the pool; 5,000 ms unless given. */
  connectTimeoutMs?: number;
}

/**
 * What every connection to the database has in common, for Prisma and for plain `pg` alike.
 *
 * The session's time zone is UTC whatever the server, its user or the URL say: Prisma's adapter takes the hours it
 * reads for UTC, silently.
 */
export function connectionOptions(url: string, choices: ConnectionChoices = {}): PoolConfig {
  const parsed = new URL(url);
  const own = parsed.searchParams.get("options");
  parsed.searchParams.delete("options"); // What the URL says would win over what is said beside it.
  return {
    connectionString: parsed.href,
    options: `${own ?? ""} -c timezone=UTC`.trim(),
    application_name: "parley",
    max: choices.poolSize ?? 10,
    connectionTimeoutMillis: choices.connectTimeoutMs ?? 5_000,
    // A new connection costs a process on the server, and prepares its statements anew.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  };
}

/** The same server and user, another database. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(database)}`;
  return other.href;
}
