import closeWithGrace from "close-with-grace";
import { explain } from "./run.ts";

type Skipped = NonNullable<closeWithGrace.Options["skip"]>;

/** Node.js handles these, so that a crash ends the process immediately. */
const skip: Skipped = [
  ...(["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV", "SIGUSR2"] as const),
  ...(["uncaughtException", "unhandledRejection", "beforeExit"] as const),
];

/** Additional time for `stop` to close aborted requests, in ms. */
const graceMs = 1_000;

/**
 * Stops the process on SIGTERM, SIGINT, SIGHUP or SIGQUIT: calls `stop`, then exits with 0. A second signal exits immediately with 1.
 *
 * @param limitMs time that `stop` may take; one second later the process exits with 1
 * @returns a function that stops the process like a signal
 */
export function stopOnSignal(stop: () => Promise<void>, limitMs: number): () => void {
  const onTimeout = () => console.error(`Parley did not stop within ${limitMs} ms and exits now.`);
  const onSecondSignal = () => undefined; // Without this, the library logs a message.
  const logger = { error: (error: unknown) => explain("Parley did not stop cleanly.", error) };
  const { close } = closeWithGrace(
    { delay: limitMs + graceMs, logger, onTimeout, onSecondSignal, skip },
    stop,
  );
  return close;
}
