import { exitCodeOf } from "./exit-code.ts";
import { createProgram } from "./program.ts";

/** Runs the command line. Prints failures on standard error and returns the exit code. */
export async function runCommandLine(args: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}
