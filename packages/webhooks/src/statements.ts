import type { Pool, QueryConfig, QueryResult, QueryResultRow } from "pg";

/** Runs statements, each on any connection. */
export interface Statements {
  query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>>;
}

/**
 * Limits the time of each statement on this machine. The network may drop a connection without a sign, so that no limit of the server and no
 * error would end its statement. Then the statement rejects, and the pool closes the connection.
 */
export function withTimeLimit(db: Pool, limitMs: number): Statements {
  return { query: (statement) => db.query({ ...statement, query_timeout: limitMs } as QueryConfig) };
}
