import { CommanderError } from "@commander-js/extra-typings";
import { Failure } from "@parley/command-line";
import { ConnectionError, ParleyError } from "@parley/sdk";

/** What to do about an error of the API, by its code. */
const remedies: Record<string, string> = {
  unauthorized: "Sign in: parley login",
  invalid_token: "Sign in again: parley login",
  invalid_grant: "Sign in again: parley login",
  insufficient_scope: "Sign in with write access: parley login --write",
  connection_error: "Is the server running? Select another server with --server or PARLEY_URL.",
  timeout: "Is the server running? Select another server with --server or PARLEY_URL.",
  unexpected_response: "Is this a Parley server? Select another server with --server or PARLEY_URL.",
};

/** Prints on standard error why a command failed, and returns the exit code: 1 for a failure, 2 for invalid arguments. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // Commander has printed the error.
  console.error(`error: ${describe(error)}`);
  if (process.env["LOG_LEVEL"] === "debug") console.error(error);
  return error instanceof Failure ? error.exitCode : 1;
}

function describe(error: unknown): string {
  if (error instanceof ParleyError) {
    return [messageOf(error), remedies[error.code]].filter(Boolean).join("\n");
  }
  return error instanceof Error ? error.message : String(error);
}

function messageOf(error: ParleyError): string {
  if (!(error instanceof ConnectionError)) return error.message;
  const { code } = ((error.cause as Error | undefined)?.cause ?? {}) as { code?: string };
  return error.description.replace(" See cause.", code === undefined ? "" : ` ${code}.`);
}
