import { TimeoutError } from "../errors/transport-errors.ts";
import { abortable } from "./abortable.ts";

// Longer delays make setTimeout fire at once.
const longestTimer = 2 ** 31 - 1;

/**
 * Runs something under a signal that follows `outer` and is aborted after `ms` milliseconds. It does not use
 * `AbortSignal.any`, which Node has only since 20.3.
 *
 * @param ms - 0, or more than 24 days, for no time-out
 * @throws {@link TimeoutError} when the time is over; the reason of `outer` when that is aborted.
 */
export async function withDeadline<T>(
  outer: AbortSignal,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const follow = () => controller.abort(outer.reason);
  const expire = () => {
    const description = `No answer within ${ms} ms`;
    controller.abort(new TimeoutError({ code: "timeout", description }));
  };
  const timer = ms > 0 && ms <= longestTimer ? setTimeout(expire, ms) : undefined;
  outer.addEventListener("abort", follow, { once: true });
  if (outer.aborted) follow();
  try {
    return await abortable(run(signal), signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", follow);
  }
}
