import { exitCodeOf } from "./exit-code.ts";
import { createProgram } from "./program.ts";

/** Runs the command line. Prints failures on standard error and returns the exit code. */
export async function runCommandLine(words: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}
