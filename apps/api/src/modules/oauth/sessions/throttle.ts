import type { Redis } from "ioredis";
import { ApiError } from "../../../http/api-error.ts";
import { throttleInMemory } from "./throttle-in-memory.ts";
import { throttleInRedis } from "./throttle-in-redis.ts";

/** Attempts that one key may have within a window. */
export interface Limit {
  key: string;
  failures: number;
}

export interface ThrottleOptions {
  /** Sets its counts apart from another throttle's. */
  name: string;
  windowMs: number;
  clock: () => number;
  /** Counts for all processes together. */
  redis?: Redis | undefined;
}

/**
 * Counts failed attempts, in fixed windows from the first failure of a key: against guessing of client secrets, RFC 6749 section
 * 2.3.1, and of passwords, section 10.10.
 */
export interface Throttle {
  /**
   * Counts an attempt as failed before it is checked, so that many at once gain nothing.
   *
   * @returns 0, or the milliseconds to wait when a limit is reached: then it must not even be checked, and is not counted
   */
  attempt(limits: Limit[]): Promise<number>;
  /** Takes back the count of an attempt that turned out right. */
  forgive(limits: Limit[]): Promise<void>;
}

/** Counts in Redis where there is one, and in this process while it is away. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const memory = throttleInMemory(options);
  if (!options.redis) return memory;
  const shared = throttleInRedis({ ...options, redis: options.redis });
  return {
    attempt: (limits) => shared.attempt(limits).catch(() => memory.attempt(limits)),
    forgive: (limits) => shared.forgive(limits).catch(() => memory.forgive(limits)),
  };
}

/** 429 that names the wait, in the words as in the header. */
export function tooManyRequests(description: string, waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / 1000);
  const [count, unit] = seconds <= 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  const words = `${description} Try again in ${count} ${unit}${count === 1 ? "" : "s"}.`;
  return new ApiError(429, "rate_limit_exceeded", words, {
    "retry-after": String(seconds),
  });
}
