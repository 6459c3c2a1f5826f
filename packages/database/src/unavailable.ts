const codes = new Set([
  // Node
  ...[
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOTFOUND",
    "EAI_AGAIN",
  ],
  // PostgreSQL: lost connections, shutdown, crash, start-up, too many connections
  ...["08000", "08001", "08003", "08004", "08006", "57P01", "57P02", "57P03", "53300"],
  // Prisma: unreachable, timed out, closed, pool exhausted, too many connections
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2037"],
  // Timeouts of locks and transactions: PostgreSQL's lock_timeout and transaction_timeout, Prisma's limit
  ...["55P03", "25P04", "P2028"],
]);

/** Kinds of errors for which Prisma's adapter provides no code. */
const kinds = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);

/** Messages of `pg` and Prisma about lost connections and exhausted pools, which have no code. */
const messages = [
  "Connection terminated",
  "Client has encountered a connection error",
  "timeout exceeded when trying to connect",
  "Unable to start a transaction in the given time",
];

/**
 * Checks whether an error of Prisma or `pg` means that the database is unavailable, shutting down or overloaded, so that the same
 * request may succeed later. Wrong credentials and a missing database do not count, because they must be fixed first.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, kind, message } = error as { code?: unknown; kind?: unknown; message?: unknown };
  if (typeof code === "string" && codes.has(code)) return true;
  if (typeof kind === "string" && kinds.has(kind)) return true;
  if (typeof message === "string" && messages.some((text) => message.includes(text))) return true;
  return isDatabaseUnavailable(wrappedIn(error));
}

/** Returns the wrapped error. A host with several addresses has one error for each; the last is used. */
function wrappedIn(error: object): unknown {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  return driverError(error) ?? cause ?? errors?.at(-1);
}

const canceled = "57014";

/** Checks whether PostgreSQL canceled a statement of Prisma or `pg`, for example because of `statement_timeout`. */
export function isStatementCanceled(error: unknown): boolean {
  return (
    driverError(error)?.cause?.originalCode === canceled ||
    (error as { code?: unknown } | null)?.code === canceled
  );
}

/** PostgreSQL's codes for a violated foreign key and a deadlock. */
const conflictCodes = new Set(["23503", "40P01"]);

/**
 * Runs work of Prisma or `pg`. If it fails because of a concurrent change, for example the deletion of a record that it refers to, runs it again,
 * so that it reads the new state.
 *
 * @param times maximum number of repetitions
 */
export async function repeatOnConflict<Result>(work: () => Promise<Result>, times: number): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (times === 0 || !isConflict(error)) throw error;
    return repeatOnConflict(work, times - 1);
  }
}

function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return conflictCodes.has(driverError(error)?.cause?.originalCode ?? String(code));
}

interface DriverCause {
  kind?: string;
  /** Code of PostgreSQL. */
  originalCode?: string;
}

/** Returns the driver's error in an error of Prisma's adapter; undefined for other errors. */
export function driverError(error: unknown): { cause?: DriverCause } | undefined {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: DriverCause } } };
  return meta?.driverAdapterError;
}
