import { CommanderError } from "@commander-js/extra-typings";
import { isDatabaseUnavailable } from "@parley/database";
import { AccountError, type Field, NoSuchAccount } from "@parley/database/accounts";
import { Failure } from "./failure.ts";

/** The argument that a rule of accounts speaks of. */
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

/** The command that helps: the words of the rules stand on pages too. */
const remedyOf: Partial<Record<Field, string>> = {
  oldSecret: " See parley-admin clients remove-old-secret --help.",
};

/** Tells on standard error why a command failed, and which exit code says so: 1 failed, 2 not understood or refused. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // It has told why.
  if (error instanceof AccountError) {
    for (const { field, words } of error.problems) {
      console.error(`error: ${argumentOf[field]}: ${words}${remedyOf[field] ?? ""}`);
    }
    return 2;
  }
  console.error(`error: ${inWords(error)}`);
  if (process.env["LOG_LEVEL"] === "debug") console.error(error);
  return error instanceof Failure ? error.exitCode : 1;
}

function inWords(error: unknown): string {
  if (error instanceof Failure || error instanceof NoSuchAccount) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  if (message?.includes("on an expired transaction")) {
    return "This took too long, so nothing was changed: try again later.";
  }
  if (isDatabaseUnavailable(error)) {
    return "The database does not answer: check DATABASE_URL, and that the server there runs.";
  }
  if (code === "P2021" || code === "P2022") {
    return "The database was not prepared for this version: start the Parley server once, which does it.";
  }
  return message?.trim().split("\n").at(-1) ?? String(error);
}
