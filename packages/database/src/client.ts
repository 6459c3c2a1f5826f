import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { type ConnectionChoices, connectionOptions } from "./connection-options.ts";
import { type Prisma, PrismaClient } from "./generated/client.ts";
import { createStatementNames } from "./statement-names.ts";

export type Database = PrismaClient;
/** The database within a transaction. */
export type Transaction = Prisma.TransactionClient;

/**
 * Creates Prisma's client. It connects when it is first used; end it with `$disconnect()`. A query throws if the server
 * cannot be reached, see `isDatabaseUnavailable`.
 */
export function createDatabase(url: string, choices?: ConnectionChoices): Database {
  const adapter = new PrismaPg(createPool(url, choices), {
    disposeExternalPool: true,
    statementNameGenerator: createStatementNames(),
  });
  return new PrismaClient({ adapter });
}

/** Creates a pool of plain `pg` connections, for the worker. End it with `end()`. */
export function createPool(url: string, choices?: ConnectionChoices): pg.Pool {
  const pool = new pg.Pool(connectionOptions(url, choices));
  // A broken connection is replaced, and its query throws. An "error" event without a listener would end the process: the
  // pool listens while the connection is idle, Prisma during a transaction, and nothing in between.
  const ignore = () => undefined;
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
}

/**
 * Opens one connection, for `LISTEN` and session locks. The caller must listen to its "error" event, which says that the
 * connection is lost, and call `end()`.
 *
 * @throws if the server cannot be reached or refuses
 */
export async function connect(url: string, choices?: ConnectionChoices): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url, choices));
  await client.connect();
  return client;
}
