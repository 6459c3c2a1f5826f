import { codeOf } from "../errors/error-from.ts";
import { ConnectionError } from "../errors/transport-errors.ts";
import type { Clock } from "./clock.ts";
import type { Answer } from "./exchange.ts";
import { isRepeatable } from "./idempotency.ts";
import { retryAfterOf } from "./retry-after.ts";

/** When a request is sent again. */
export interface RetryPolicy {
  /** How often, after the first time. */
  readonly maxRetries: number;
  /** Sending it twice does no more than sending it once. Default: {@link isRepeatable}. */
  readonly repeatable?: boolean | undefined;
  /** No retry starts later than this after the first attempt, in milliseconds. */
  readonly withinMs?: number | undefined;
}

const transient = new Set([429, 502, 503, 504]);

/** A longer `Retry-After` is the caller's business: it is thrown at once, with `retryAfter`. One rate-limit window. */
const longestRetryAfter = 60;

/**
 * Sends until an answer is final, at most `maxRetries` times more.
 *
 * A request that can be repeated is sent again after 429, 502, 503, 504 and a broken connection. Every other one only
 * after 429, which surely changed nothing.
 */
export async function withRetries(
  request: Request,
  policy: RetryPolicy,
  clock: Clock,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { maxRetries, repeatable = isRepeatable(request), withinMs = Infinity } = policy;
  const start = clock.now();
  for (let retries = 0; ; retries++) {
    const outcome = await send().catch(connectionErrorOf);
    const wait =
      retries < maxRetries && mayRepeat(outcome, repeatable) ? delayMs(outcome, retries, clock) : undefined;
    if (wait === undefined || clock.now() - start + wait > withinMs) {
      if (outcome instanceof ConnectionError) throw outcome;
      return outcome;
    }
    await clock.sleep(wait, request.signal);
  }
}

function connectionErrorOf(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  throw error;
}

function mayRepeat(outcome: Answer | ConnectionError, repeatable: boolean): boolean {
  if (outcome instanceof ConnectionError) return repeatable;
  const { status } = outcome.response;
  if (repeatable) return transient.has(status);
  return status === 429;
}

/** Full jitter: anything up to 0.5, 1, 2, 4, 8 s; on top of `Retry-After` where there is one. Undefined: too long. */
function delayMs(outcome: Answer | ConnectionError, retries: number, clock: Clock): number | undefined {
  const jitter = clock.random() * Math.min(8000, 500 * 2 ** retries);
  if (outcome instanceof ConnectionError) return jitter;
  const retryAfter = retryAfterOf(outcome.response, codeOf(outcome.body), clock.now()) ?? 0;
  return retryAfter > longestRetryAfter ? undefined : retryAfter * 1000 + jitter;
}
