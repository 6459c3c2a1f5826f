import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import type { Database, Transaction } from "./client.ts";

/** Sends a statement behind all that were sent before it, without waiting for them. */
export type Send = <Row extends pg.QueryResultRow>(statement: pg.QueryConfig) => Promise<Row[]>;

/**
 * Runs a transaction of Prisma's in which statements are also sent past Prisma, over the same connection: for those that
 * are in every change, Prisma costs more than PostgreSQL does. When one of them fails nothing is committed.
 *
 * @param first statements that go out with `BEGIN`; one at least
 * @param run is given the rows of the last of these. What it sends it need not wait for.
 * @throws what failed first, be it the callback, one of Prisma's statements or one that was sent
 */
export async function runTransaction<Row extends pg.QueryResultRow, Result>(
  db: Database,
  first: pg.QueryConfig[],
  run: (tx: Transaction, rows: Row[], send: Send) => Promise<Result>,
  options: { timeout?: number } = {},
): Promise<Result> {
  const line = new Line(first);
  try {
    const transaction = () =>
      db.$transaction(async (tx) => run(tx, await line.opened<Row>(), line.send), options);
    const result = await lines.run(line, transaction);
    await line.answered(); // PostgreSQL ends a transaction in which something failed without saying so.
    return result;
  } catch (error) {
    throw line.failure ?? error;
  }
}

/** What is sent past Prisma in one transaction. */
class Line {
  readonly #first: pg.QueryConfig[];
  readonly #answers: Promise<pg.QueryResultRow[]>[] = [];
  #client: pg.Client | undefined;
  /** Why the first of those failed that did. */
  failure: unknown;

  constructor(first: pg.QueryConfig[]) {
    this.#first = first;
  }

  /** Whether the transaction has begun; it may be over. */
  get isOpened(): boolean {
    return this.#answers.length > 0;
  }

  open(client: pg.Client): void {
    this.#client = client;
    for (const statement of this.#first) void this.send(statement);
  }

  /** From now on nothing more is sent: it would not be part of the transaction. */
  close(): void {
    this.#client = undefined;
  }

  /** The rows of the last of the first statements. */
  async opened<Row extends pg.QueryResultRow>(): Promise<Row[]> {
    const rows = this.#answers[this.#first.length - 1];
    if (!rows) throw new Error("Prisma began a transaction in a way that is not known");
    return (await rows) as Row[];
  }

  readonly send: Send = <Row extends pg.QueryResultRow>(statement: pg.QueryConfig) => {
    if (!this.#client) throw new Error("the transaction is over");
    const answer = this.#client.query<Row>(statement).then(({ rows }) => rows);
    answer.catch((error: unknown) => {
      this.failure ??= error;
    });
    this.#answers.push(answer);
    return answer;
  };

  async answered(): Promise<void> {
    await Promise.all(this.#answers);
  }
}

const lines = new AsyncLocalStorage<Line>();

/** The connections of Prisma's pool. They see where Prisma begins and ends the transactions of `runTransaction`. */
export class TransactionClient extends pg.Client {
  #line: Line | undefined;

  override query(...args: never[]): never {
    const sent = args as unknown as [pg.QueryConfig];
    const { text } = sent[0];
    if (text === "COMMIT" || text === "ROLLBACK") {
      this.#line?.close();
      this.#line = undefined;
    }
    this.#cork();
    const result = super.query(...sent) as never;
    const line = text === "BEGIN" ? lines.getStore() : undefined;
    if (line && !line.isOpened) {
      this.#line = line;
      line.open(this);
    }
    return result;
  }

  /** What is sent within one turn of the event loop goes out together. */
  #cork(): void {
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
}
