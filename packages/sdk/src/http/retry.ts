import { codeOf } from "../errors/error-from.ts";
import { ConnectionError } from "../errors/transport-errors.ts";
import type { Clock } from "./clock.ts";
import type { ReceivedResponse } from "./exchange.ts";
import { isIdempotent } from "./idempotency.ts";
import { retryAfterOf } from "./retry-after.ts";

/** Rules for retrying a request. */
export interface RetryPolicy {
  /** Number of retries after the first attempt. */
  readonly maxRetries: number;
  /** Whether sending the request twice has the same effect as sending it once. Default: {@link isIdempotent}. */
  readonly idempotent?: boolean | undefined;
  /** Time after the first attempt within which a retry must start, in milliseconds. Default: no limit. */
  readonly withinMs?: number | undefined;
}

const transient = new Set([429, 502, 503, 504]);

/** Longest `Retry-After` to wait for, in seconds: one rate-limit window. If it is longer, the call throws the error. */
const longestRetryAfter = 60;

/**
 * Sends a request and retries it up to `maxRetries` times. An idempotent request is retried after 429, 502, 503, 504
 * and connection errors. Any other request is retried only after 429, because then the API changed nothing.
 */
export async function withRetries(
  request: Request,
  policy: RetryPolicy,
  clock: Clock,
  send: () => Promise<ReceivedResponse>,
): Promise<ReceivedResponse> {
  const { maxRetries, idempotent = isIdempotent(request), withinMs = Infinity } = policy;
  const start = clock.now();
  for (let retries = 0; ; retries++) {
    const outcome = await send().catch(connectionErrorOf);
    const wait =
      retries < maxRetries && isRetryable(outcome, idempotent) ? delayMs(outcome, retries, clock) : undefined;
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

function isRetryable(outcome: ReceivedResponse | ConnectionError, idempotent: boolean): boolean {
  if (outcome instanceof ConnectionError) return idempotent;
  const { status } = outcome.response;
  if (idempotent) return transient.has(status);
  return status === 429;
}

/**
 * Returns the delay before a retry in milliseconds: `Retry-After` plus full jitter of up to 0.5, 1, 2, 4 and 8 s.
 * Undefined when `Retry-After` is too long.
 */
function delayMs(
  outcome: ReceivedResponse | ConnectionError,
  retries: number,
  clock: Clock,
): number | undefined {
  const jitter = clock.random() * Math.min(8000, 500 * 2 ** retries);
  if (outcome instanceof ConnectionError) return jitter;
  const retryAfter = retryAfterOf(outcome.response, codeOf(outcome.body), clock.now()) ?? 0;
  return retryAfter > longestRetryAfter ? undefined : retryAfter * 1000 + jitter;
}
