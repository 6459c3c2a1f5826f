import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { Database, Transaction } from "./client.ts";

/** The values are of types that every driver can write: one that cannot be sent would not stop the commit. */
export interface Statement {
  /** Under it each connection prepares the statement once. */
  name?: string;
  text: string;
  values?: (string | number | Date | null)[];
}

/** Sends a statement behind all that were sent before it, without waiting for them. */
export type Send = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>;

/**
 * Runs a transaction of Prisma's in which statements are also sent past Prisma, over the same connection: for those that
 * are in every change, Prisma costs more than PostgreSQL does. When one of them fails nothing is committed.
 *
 * @param first statements that go out with `BEGIN`; one at least
 * @param run is given the rows of the last of these. What it sends it need not wait for.
 * @throws what failed first of what was sent and of what the callback throws
 */
export async function runTransaction<Row extends pg.QueryResultRow, Result>(
  db: Database,
  first: Statement[],
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
  } finally {
    line.close();
  }
}

const lines = new AsyncLocalStorage<Line>();

/** That of the `runTransaction` in which this is called. */
export function currentLine(): Line | undefined {
  return lines.getStore();
}

/** What is sent past Prisma in one transaction. */
export class Line {
  readonly #first: Statement[];
  readonly #answers: Promise<pg.QueryResultRow[]>[] = [];
  #client: pg.ClientBase | undefined;
  #isClosed = false;
  /** Why the first of those failed that did. */
  failure: unknown;

  constructor(first: Statement[]) {
    this.#first = first;
  }

  /** Whether its transaction has yet to begin, and somebody waits for it: Prisma begins some that it gave up waiting for. */
  get isAwaited(): boolean {
    return this.#answers.length === 0 && !this.#isClosed;
  }

  open(client: pg.ClientBase): void {
    this.#client = client;
    for (const statement of this.#first) void this.send(statement);
  }

  /** From now on nothing more is sent: it would not be part of the transaction. */
  close(): void {
    this.#isClosed = true;
    this.#client = undefined;
  }

  /** The rows of the last of the first statements. */
  async opened<Row extends pg.QueryResultRow>(): Promise<Row[]> {
    const rows = this.#answers[this.#first.length - 1];
    if (!rows) throw new Error("Prisma began a transaction in a way that is not known");
    return (await rows) as Row[];
  }

  readonly send: Send = <Row extends pg.QueryResultRow>(statement: Statement) => {
    if (!this.#client) throw new TransactionOver();
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

/** Prisma's own code for it, so that it counts as a database that is too slow. */
export class TransactionOver extends Error {
  readonly code = "P2028";
  constructor() {
    super("the transaction is over");
  }
}
