import type { z } from "zod";
import type { Program } from "./program.ts";
import { readArguments } from "./read-arguments.ts";
import { readConfig } from "./read-config.ts";

const hints: Record<string, string> = {
  EADDRINUSE: "The port is in use: choose another PORT, or end the process that has it.",
  EADDRNOTAVAIL: "HOST is not an address of this machine.",
  EACCES: "This user may not listen on that PORT, or not write to that folder.",
  ECONNREFUSED: "Nothing answers at DATABASE_URL.",
  ENOTFOUND: "The host of DATABASE_URL is not known.",
};

/**
 * Runs a program, or prints its help or version. Ends with 2 if the arguments are wrong, and with 1 if the program does
 * not start, and prints why. `LOG_LEVEL=debug` prints the stack as well.
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
    explain("Parley could not start.", error);
    process.exit(1);
  }
}

/** Prints on standard error what failed and why, with a hint where there is one. */
export function explain(what: string, error: unknown): void {
  const { code = "", message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  console.error([what, message, hints[code]].filter(Boolean).join(" "));
  if (process.env["LOG_LEVEL"] === "debug") console.error(error);
}
