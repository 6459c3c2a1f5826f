import { runCommandLine } from "./run-command-line.ts";

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit(0); // The reader, such as `head`, has closed the pipe.
});

process.exitCode = await runCommandLine(process.argv.slice(2));
