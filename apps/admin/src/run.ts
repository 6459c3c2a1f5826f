import { exitCodeOf } from "./exit-code.ts";
import { createProgram } from "./program.ts";

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit(0); // `parley-admin audit | head` has seen enough.
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
