import { CommanderError } from "@commander-js/extra-typings";
import { Failure, printNote, printStack } from "@parley/command-line";
import { isDatabaseUnavailable } from "@parley/database";
import { AccountError, AccountNotFoundError, type Field } from "@parley/database/accounts";

/** Argument that a field of an AccountError corresponds to. */
const argumentOf: Record<Field, string> = {
  name: "--name",
  redirectUri: "--redirect-uri",
  organization: "--organization",
  plan: "--plan",
  email: "--email",
  password: "the password",
  secret: "rotate-secret",
  oldSecret: "rotate-secret",
};

/** Command that solves a problem. AccountErrors do not contain it because pages show them too. */
const remedyOf: Partial<Record<Field, string>> = {
  oldSecret: " See parley-admin clients remove-old-secret --help.",
};

/** Prints on standard error why a command failed, and returns the exit code: 1 for a failure, 2 for invalid arguments. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // Commander has printed the error.
  if (error instanceof AccountError) {
    for (const { field, message } of error.problems) {
      printNote(`error: ${argumentOf[field]}: ${message}${remedyOf[field] ?? ""}`);
    }
    return 2;
  }
  printNote(`error: ${describe(error)}`);
  printStack(error);
  return error instanceof Failure ? error.exitCode : 1;
}

function describe(error: unknown): string {
  if (error instanceof Failure) return error.message;
  if (error instanceof AccountNotFoundError) {
    return `${error.message} List them: parley-admin ${error.kind}s list`;
  }
  const { code, message } = error as { code?: string; message?: string };
  if (message?.includes("on an expired transaction")) {
    return "The change took too long and was rolled back. Try again later.";
  }
  if (isDatabaseUnavailable(error)) {
    return "The database does not respond. Check DATABASE_URL, and that the database server is running.";
  }
  if (code === "P2021" || code === "P2022") {
    return "The database schema is older than this version. Start the Parley server once to migrate it.";
  }
  return message?.trim().split("\n").at(-1) ?? String(error);
}
