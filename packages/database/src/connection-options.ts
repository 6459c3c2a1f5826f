import { isLocalHost } from "@parley/config";
import type { PoolConfig } from "pg";
import type { DatabaseAddress } from "./config.ts";
import { Connection } from "./connection.ts";
import { makeModeExplicit } from "./tls-parameters.ts";

export interface ConnectionChoices {
  /** Maximum number of connections. Default: 10. */
  poolSize?: number;
  /** Timeout for getting a new or pooled connection, in milliseconds. Default: 5,000. */
  connectTimeoutMs?: number;
  /** Timeout of a statement in milliseconds; 0 for none. Default: that of the server. A pooler ignores it. */
  statementTimeoutMs?: number;
  /**
   * Time after which a statement without a result fails on this machine, in milliseconds, because the network may drop a connection without a sign.
   * Default: none; 60,000 for pools, which then replace the connection.
   */
  queryTimeoutMs?: number;
  /** Timeout of Prisma's transactions that set none, in milliseconds. Default: that of Prisma, 5,000. */
  transactionTimeoutMs?: number;
  /** Whether the URL leads to a connection pooler in transaction mode, which does not keep prepared statements. */
  pooler?: boolean;
}

/**
 * Returns the options of every database connection, for Prisma and for plain `pg`. The session's time zone is always UTC, because
 * Prisma's adapter interprets all times as UTC.
 */
export function connectionOptions(url: string, choices: ConnectionChoices = {}) {
  const parsed = new URL(url);
  const own = parsed.searchParams.get("options");
  parsed.searchParams.delete("options"); // Otherwise the options in the URL would override the options below.
  makeModeExplicit(parsed);
  const { statementTimeoutMs } = choices;
  const timeout = statementTimeoutMs === undefined ? "" : ` -c statement_timeout=${statementTimeoutMs}`;
  return {
    Client: Connection,
    connectionString: parsed.href,
    options: `${own ?? ""} -c timezone=UTC${timeout}`.trim(),
    application_name: "parley",
    max: choices.poolSize ?? 10,
    connectionTimeoutMillis: choices.connectTimeoutMs ?? 5_000,
    // Opening a connection is expensive: it starts a server process and prepares its statements again.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...(choices.queryTimeoutMs !== undefined && { query_timeout: choices.queryTimeoutMs }),
  } satisfies PoolConfig;
}

/** Returns a warning for each URL whose connections leave this machine without encryption, unless it has `sslmode=disable`. */
export function unencryptedWarnings({ url, directUrl, pooler }: DatabaseAddress): string[] {
  const urls = { DATABASE_URL: url, ...(pooler && { DATABASE_DIRECT_URL: directUrl }) };
  return Object.entries(urls).flatMap(([variable, value]) => {
    const { host, ssl } = new Connection(connectionOptions(value));
    const isChosen = new URL(value).searchParams.get("sslmode") === "disable";
    if (ssl || isChosen || isLocalHost(host)) return [];
    return [
      `connection to the database at ${host} (${variable}) is not encrypted: add sslmode=verify-full to the URL, ` +
        "or sslmode=disable if the network is protected",
    ];
  });
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(database)}`;
  return other.href;
}
