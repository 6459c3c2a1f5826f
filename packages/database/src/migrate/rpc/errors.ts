/** An error as Prisma's CLI wants to be told: `error_code` is one of Prisma's, if there is one for it. */
export interface KnownError {
  message: string;
  error_code: string | undefined;
}

/** Codes of PostgreSQL and of Node which the CLI acts upon under another name. */
const prismaCodes: Record<string, string> = {
  "3D000": "P1003", // No such database: the CLI offers to create it.
  "28P01": "P1000",
  "28000": "P1010",
  ECONNREFUSED: "P1001",
  ENOTFOUND: "P1001",
};

/** Cuts off the trace of the engine's own functions. */
export function describeError(error: unknown): KnownError {
  const { message, code } = error as { message?: string; code?: string };
  const reason = message?.split("\n   0: ")[0] || (code ?? String(error));
  return { message: reason, error_code: code?.startsWith("P") ? code : prismaCodes[code ?? ""] };
}

/** Writes the error as the native engine logs it, after a first line which the CLI skips. */
export function logError(error: KnownError): void {
  console.error(JSON.stringify({ level: "INFO", fields: { message: "Starting schema engine" } }));
  console.error(JSON.stringify({ level: "ERROR", target: "schema_engine::logger", fields: error }));
}
