import { runCommandLine } from "./run-command-line.ts";

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit(0); // `parley-admin audit | head` has seen enough.
});

process.exitCode = await runCommandLine(process.argv.slice(2));
