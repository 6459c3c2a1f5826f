import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { type ConnectionChoices, connectionOptions } from "./connection-options.ts";
import { type Prisma, PrismaClient } from "./generated/client.ts";
import { createStatementNames } from "./statement-names.ts";
import { CorkedClient, TransactionPool } from "./transaction-pool.ts";

export type Database = PrismaClient;
/** What a change within a transaction is given in place of the database. */
export type Transaction = Prisma.TransactionClient;

/**
 * Prisma's client for the database of the URL. It connects when it is first used; end it with `$disconnect()`.
 * An unreachable server shows at the query, see `isDatabaseUnavailable`.
 */
export function createDatabase(url: string, choices?: ConnectionChoices): Database {
  const options = { ...connectionOptions(url, choices), Client: CorkedClient, pipeline: true };
  const adapter = new PrismaPg(outliving(new TransactionPool(options)), {
    disposeExternalPool: true,
    statementNameGenerator: createStatementNames(),
  });
  return new PrismaClient({ adapter });
}

/** A pool of plain `pg` connections, for what Prisma is too slow for. End it with `end()`. */
export function createPool(url: string, choices?: ConnectionChoices): pg.Pool {
  return outliving(new pg.Pool(connectionOptions(url, choices)));
}

/**
 * A connection that breaks is replaced, and whoever uses it hears of it from the query. Without a listener it would end the process:
 * the pool listens while it is idle, Prisma during a transaction, and nobody in between.
 */
function outliving<Pool extends pg.Pool>(pool: Pool): Pool {
  const ignore = () => undefined;
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
}

/**
 * One connection of its own, for `LISTEN` and session locks. The caller must listen to its "error" event, which
 * says that the connection is lost, and call `end()`.
 *
 * @throws where the server cannot be reached or refuses.
 */
export async function connect(url: string, choices?: ConnectionChoices): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url, choices));
  await client.connect();
  return client;
}
