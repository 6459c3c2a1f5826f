import { TimeoutError } from "../errors/transport-errors.ts";
import { abortable } from "./abortable.ts";

// With a longer delay, setTimeout fires immediately.
const longestTimer = 2 ** 31 - 1;

/**
 * Runs a function with a signal that is aborted with `outer` or after `ms` milliseconds. It does not use
 * `AbortSignal.any`, which Node.js has only since 20.3.
 *
 * @param ms - more than 24 days for no timeout
 * @throws {@link TimeoutError} after `ms`, or the reason of `outer` if it is aborted
 */
export async function withDeadline<T>(
  outer: AbortSignal,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const expire = () => {
    const description = `No response within ${ms} ms.`;
    controller.abort(new TimeoutError({ code: "timeout", description }));
  };
  const timer = ms <= longestTimer ? setTimeout(expire, ms) : undefined;
  try {
    return await abortable(abortable(run(signal), signal), outer);
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
