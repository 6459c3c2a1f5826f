import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Connection } from "./connection.ts";
import { type ConnectionChoices, connectionOptions } from "./connection-options.ts";
import { type Prisma, PrismaClient } from "./generated/client.ts";
import { createStatementNames } from "./statement-names.ts";

/** Longer than any statement of the API or a worker takes. */
const poolQueryTimeoutMs = 60_000;

/** Prisma client that can also select rows without Prisma, over the same connections. */
export class Database extends PrismaClient {
  readonly #pool: pg.Pool;
  readonly #nameOf: ReturnType<typeof createStatementNames>;

  /** @param timeout timeout of transactions that set none, in milliseconds. Default: that of Prisma */
  constructor(pool: pg.Pool, timeout?: number) {
    // One for both, because a connection keeps the statements of both.
    const statementNameGenerator = createStatementNames();
    const adapter = new PrismaPg(pool, { disposeExternalPool: true, statementNameGenerator });
    super({ adapter, transactionOptions: timeout === undefined ? {} : { timeout } });
    this.#pool = pool;
    this.#nameOf = statementNameGenerator;
  }

  /** Returns the pool of the connections, for its metrics. */
  pool(): Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount"> {
    return this.#pool;
  }

  /** Runs a SELECT with `pg`, which costs less than `$queryRaw`. For statements that run often. */
  async select<Row extends object>(statement: Prisma.Sql): Promise<Row[]> {
    const { text, values } = statement;
    return (await this.#pool.query<Row>({ name: this.#nameOf({ sql: text }), text, values })).rows;
  }
}

/** Prisma client within a transaction. */
export type Transaction = Prisma.TransactionClient;

/**
 * Creates a Prisma client. It connects at the first query; end it with `$disconnect()`. A query throws if the server is unreachable,
 * see `isDatabaseUnavailable`.
 */
export function createDatabase(url: string, choices?: ConnectionChoices): Database {
  return new Database(createPool(url, choices), choices?.transactionTimeoutMs);
}

/** Creates a pool of plain `pg` connections, for the worker. End it with `end()`. */
export function createPool(url: string, choices?: ConnectionChoices): pg.Pool {
  const options = connectionOptions(url, { queryTimeoutMs: poolQueryTimeoutMs, ...choices });
  const pool = new pg.Pool(choices?.pooler ? { ...options, Client: UnnamedStatementsClient } : options);
  // Broken connections are replaced, and their queries throw. Without this listener, an "error" event would end the process: the pool
  // listens only while a connection is idle, and Prisma only during a transaction.
  const ignore = () => undefined;
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
}

/** Connection to a pooler, which gives each transaction another connection to the database. Prepared statements do not work there. */
class UnnamedStatementsClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: as the implementation of all overloads
  override query(...[statement, ...rest]: any[]): any {
    const isNamed = typeof statement === "object" && statement !== null && "name" in statement;
    return super.query(isNamed ? { ...statement, name: undefined } : statement, ...rest);
  }
}

/**
 * Opens a connection, for `LISTEN` and session locks. The caller must listen to its "error" event, which means that the connection is
 * lost, and call `end()`.
 *
 * @throws if the server is unreachable or rejects the connection
 */
export async function connect(url: string, choices?: ConnectionChoices): Promise<pg.Client> {
  const client = new Connection(connectionOptions(url, choices));
  await client.connect();
  return client;
}
