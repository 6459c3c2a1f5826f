import { TimeoutError } from "../errors/transport-errors.ts";
import { abortable } from "./abortable.ts";

// With a longer delay, setTimeout fires immediately.
const longestTimer = 2 ** 31 - 1;

/**
 * Runs a function with a signal that is aborted with `outer` or after `ms` milliseconds. It does not use
 * `AbortSignal.any`, which Node.js has only since 20.3.
 *
 * @param ms - 0, or more than 24 days, for no timeout
 * @throws {@link TimeoutError} after `ms`, or the reason of `outer` if it is aborted
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
    const description = `No response within ${ms} ms.`;
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
