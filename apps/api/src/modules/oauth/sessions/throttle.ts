import type { Redis } from "ioredis";
import { ApiError } from "../../../http/api-error.ts";

/** Number of failed attempts that one key may have within a window. */
export interface Limit {
  key: string;
  failures: number;
}

export interface ThrottleOptions {
  /** Separates the counts of throttles. */
  name: string;
  windowMs: number;
  clock: () => number;
  /** Counts for all processes together; without it, each process counts separately. */
  redis?: Redis | undefined;
}

/**
 * Limits failed attempts in fixed windows that begin with a key's first failure, against guessing of client secrets (RFC 6749
 * section 2.3.1) and passwords (section 10.10).
 */
export interface Throttle {
  /**
   * Counts an attempt as failed before it is checked, so that concurrent attempts cannot exceed a limit.
   *
   * @returns 0 if the attempt may be checked; otherwise the milliseconds to wait, and the attempt is not counted
   */
  attempt(limits: Limit[]): Promise<number>;
  /** Subtracts an attempt from the counts, because it succeeded. */
  forgive(limits: Limit[]): Promise<void>;
}

/** Returns a 429 whose description and `Retry-After` state the wait. */
export function tooManyRequests(description: string, waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / 1000);
  const [count, unit] = seconds <= 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  const message = `${description} Try again in ${count} ${unit}${count === 1 ? "" : "s"}.`;
  return new ApiError(429, "rate_limit_exceeded", message, {
    "retry-after": String(seconds),
  });
}
