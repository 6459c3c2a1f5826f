/** Program that parses arguments and runs a command. */
interface Program {
  parseAsync(args: string[], options: { from: "user" }): Promise<unknown>;
}

/**
 * Returns a function that runs a command line with arguments, and returns its exit code.
 *
 * @param createProgram creates the program, whose errors are thrown
 * @param exitCodeOf prints an error on standard error, and returns the exit code
 */
export function commandLine(
  createProgram: () => Program,
  exitCodeOf: (error: unknown) => number,
): (args: string[]) => Promise<number> {
  return async (args) => {
    try {
      await createProgram().parseAsync(args, { from: "user" });
      return 0;
    } catch (error) {
      return exitCodeOf(error);
    }
  };
}

/** Runs a command line with the arguments of this process, and sets the exit code of the process. */
export async function runProcess(run: (args: string[]) => Promise<number>): Promise<void> {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") process.exit(0); // The reader, such as `head`, has closed the pipe.
  });
  process.exitCode = await run(process.argv.slice(2));
}
