import type { z } from "zod";
import type { Program } from "./program.ts";
import { readArguments } from "./read-arguments.ts";
import { readConfig } from "./read-config.ts";

const hints: Record<string, string> = {
  EADDRINUSE: "The port is in use. Set PORT to another port, or stop the process that uses it.",
  EADDRNOTAVAIL: "Set HOST to an address of this machine.",
  EACCES: "This user lacks the permission to listen on PORT or to write to the folder.",
  ECONNREFUSED: "No server responds at DATABASE_URL.",
  ENOTFOUND: "The host in DATABASE_URL is unknown.",
};

/**
 * Runs a program, or prints its help or version. Exits with 2 if the arguments are invalid, and prints the reason and exits with 1 if
 * the program does not start. `LOG_LEVEL=debug` also prints the stack.
 */
export async function run<Schema extends z.ZodObject>(
  program: Program<Schema>,
  start: (config: z.infer<Schema>) => Promise<void>,
): Promise<void> {
  const outcome = readArguments(program, process.argv.slice(2));
  if (outcome !== undefined) {
    const { text, exitCode } = outcome;
    if (exitCode === 0) console.log(text);
    else console.error(text);
    process.exitCode = exitCode;
    return;
  }
  try {
    await start(readConfig(program.variables, process.env));
  } catch (error) {
    explain("Parley failed to start.", error);
    process.exit(1);
  }
}

/** Prints on standard error what failed and why, with a fix for known errors. */
export function explain(what: string, error: unknown): void {
  const { code = "", message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  console.error([what, message, hints[code]].filter(Boolean).join(" "));
  if (process.env["LOG_LEVEL"] === "debug") console.error(error);
}
