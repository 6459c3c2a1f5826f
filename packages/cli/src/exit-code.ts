import { CommanderError } from "@commander-js/extra-typings";
import { Failure, printNote, printStack } from "@parley/command-line";
import { ConnectionError, ParleyError } from "@parley/sdk";
import { usedServer } from "./connection.ts";

/** Returns what to do about an error of the API, by its code. */
function remedyOf(code: string): string | undefined {
  const server = usedServer() ?? "";
  const isTokenProblem = ["unauthorized", "invalid_token", "invalid_grant", "insufficient_scope"].includes(
    code,
  );
  if (isTokenProblem && process.env["PARLEY_TOKEN"]) {
    return "This is the token in PARLEY_TOKEN. Replace it (it is valid for one hour), or unset it and run `parley login`.";
  }
  if (code === "insufficient_scope") return `Sign in with write access: parley login ${server} --write`;
  if (isTokenProblem) return `Sign in again: parley login ${server}`;
  if (code === "connection_error" || code === "timeout") {
    return "Is the server running? Select another server with --server or PARLEY_URL.";
  }
  if (code !== "unexpected_response") return undefined;
  return "Is this a Parley server? Select another server with --server or PARLEY_URL.";
}

/** Prints on standard error why a command failed, and returns the exit code: 1 for a failure, 2 for invalid arguments. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // Commander has printed the error.
  printNote(`error: ${describe(error)}`);
  printStack(error);
  return error instanceof Failure ? error.exitCode : 1;
}

function describe(error: unknown): string {
  if (error instanceof ParleyError) {
    return [messageOf(error), remedyOf(error.code)].filter(Boolean).join("\n");
  }
  return error instanceof Error ? error.message : String(error);
}

function messageOf(error: ParleyError): string {
  if (!(error instanceof ConnectionError)) return error.message;
  const { code } = ((error.cause as Error | undefined)?.cause ?? {}) as { code?: string };
  return error.description.replace(" See cause.", code === undefined ? "" : ` ${code}.`);
}
