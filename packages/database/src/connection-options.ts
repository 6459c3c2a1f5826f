import type { PoolConfig } from "pg";

export interface ConnectionChoices {
  /** Maximum number of connections. Default: 10. */
  poolSize?: number;
  /** Timeout for getting a new or pooled connection, in milliseconds. Default: 5,000. */
  connectTimeoutMs?: number;
  /** Whether the URL leads to a connection pooler in transaction mode, which does not keep prepared statements. */
  pooler?: boolean;
}

/**
 * Returns the options of every database connection, for Prisma and for plain `pg`. The session's time zone is always UTC, because
 * Prisma's adapter interprets all times as UTC.
 */
export function connectionOptions(url: string, choices: ConnectionChoices = {}): PoolConfig {
  const parsed = new URL(url);
  const own = parsed.searchParams.get("options");
  parsed.searchParams.delete("options"); // Otherwise the options in the URL would override the options below.
  return {
    connectionString: parsed.href,
    options: `${own ?? ""} -c timezone=UTC`.trim(),
    application_name: "parley",
    max: choices.poolSize ?? 10,
    connectionTimeoutMillis: choices.connectTimeoutMs ?? 5_000,
    // Opening a connection is expensive: it starts a server process and prepares its statements again.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  };
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(database)}`;
  return other.href;
}
