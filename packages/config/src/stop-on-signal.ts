import closeWithGrace from "close-with-grace";
import { explain } from "./run.ts";

type Skipped = NonNullable<closeWithGrace.Options["skip"]>;

/** Node's own handling of these is right: a crash ends the process at once. */
const skip: Skipped = [
  ...(["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV", "SIGUSR2"] as const),
  ...(["uncaughtException", "unhandledRejection", "beforeExit"] as const),
];

/** After the limit, `stop` has this long to close what was cut off. */
const graceMs = 1_000;

/**
 * Stops the process on SIGTERM, SIGINT, SIGHUP or SIGQUIT: calls `stop`, then exits with 0. A second signal exits at once
 * with 1.
 *
 * @param limitMs how long `stop` may take; a second later the process exits with 1
 * @returns stops the process as a signal does
 */
export function stopOnSignal(stop: () => Promise<void>, limitMs: number): () => void {
  const onTimeout = () => console.error(`Parley did not stop within ${limitMs} ms and ends now.`);
  const onSecondSignal = () => undefined; // Without it, the library logs that it exits.
  const logger = { error: (error: unknown) => explain("Parley did not stop cleanly.", error) };
  const { close } = closeWithGrace(
    { delay: limitMs + graceMs, logger, onTimeout, onSecondSignal, skip },
    stop,
  );
  return close;
}
