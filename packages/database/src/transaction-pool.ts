import pg from "pg";
import { currentLine, type Line, TransactionOver } from "./transaction.ts";

/** Prisma's pool. What is lent for a transaction of Prisma's takes nothing more once that has ended. */
export class TransactionPool extends pg.Pool {
  override connect(...args: never[]): never {
    const [callback] = args;
    if (callback) return super.connect(callback) as never;
    return super.connect().then((client) => new LentConnection(client)) as never;
  }
}

/** A connection for one transaction: Prisma gives it back, but may send what is left of a statement that took too long. */
class LentConnection {
  readonly #client: pg.PoolClient;
  #line: Line | undefined;
  #isOver = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#isOver) return Promise.reject(new TransactionOver());
    const { text } = config;
    if (text === "COMMIT" || text === "ROLLBACK") {
      this.#isOver = true;
      this.#line?.close();
    }
    const result = this.#client.query(config);
    const line = text === "BEGIN" ? currentLine() : undefined;
    if (line?.isAwaited) {
      this.#line = line;
      line.open(this.#client);
    }
    return result;
  }

  on(event: "error", listener: (error: Error) => void): void {
    this.#client.on(event, listener);
  }

  removeListener(event: "error", listener: (error: Error) => void): void {
    this.#client.removeListener(event, listener);
  }

  release(error?: Error | boolean): void {
    this.#client.release(error);
  }
}

/** The connections of the pool: what is sent within one turn of the event loop goes out together. */
export class CorkedClient extends pg.Client {
  override query(...args: never[]): never {
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    return super.query(...(args as unknown as [pg.QueryConfig])) as never;
  }
}
