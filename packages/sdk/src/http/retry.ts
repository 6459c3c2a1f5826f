import { codeOf } from "../errors/error-from.ts";
import type { Clock } from "./clock.ts";
import type { Outcome } from "./exchange.ts";
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

/** Statuses after which only an idempotent request is retried; undefined if no response arrived. */
const transient = [undefined, 502, 503, 504];

/** Longest `Retry-After` to wait for, in seconds: one rate-limit window. If it is longer, the call throws the error. */
const longestRetryAfter = 60;

/**
 * Returns the delay before a retry in milliseconds: `Retry-After` plus full jitter of up to 0.5, 1, 2, 4 and 8 s.
 * Undefined if the request must not be retried. An idempotent request is retried after 429, 502, 503, 504 and connection
 * errors. Any other request is retried only after 429, because then the API changed nothing.
 *
 * @param retries - number of earlier retries
 */
export function retryDelay(
  { response, body }: Outcome,
  idempotent: boolean,
  retries: number,
  clock: Clock,
): number | undefined {
  const status = response?.status;
  if (status !== 429 && !(idempotent && transient.includes(status))) return undefined;
  const retryAfter = (response && retryAfterOf(response, codeOf(body), clock.now())) ?? 0;
  if (retryAfter > longestRetryAfter) return undefined;
  return retryAfter * 1000 + Math.round(clock.random() * Math.min(8000, 500 * 2 ** retries));
}
