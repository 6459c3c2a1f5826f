import { type Clock, systemClock } from "./clock.ts";
import type { Fetch } from "./exchange.ts";
import type { Hooks } from "./hooks.ts";
import { type LogOptions, logOf } from "./log.ts";
import type { Transport } from "./transport.ts";

/** The server of a client. */
export interface ServerOptions {
  /**
   * Root URL of the Parley server, for example `https://parley.example.com`. Default: the environment variable
   * `PARLEY_URL`.
   */
  readonly baseUrl?: string | undefined;
}

/**
 * Options for the requests of a client.
 *
 * @example
 * const patient = new Parley({
 *   baseUrl: "https://parley.example.com",
 *   accessToken: "parley_at_0",
 *   timeoutMs: 60_000,
 *   maxRetries: 5,
 *   fetch: async (request) => {
 *     console.log(request.method, request.url);
 *     return await globalThis.fetch(request);
 *   },
 * });
 */
export interface ConnectionOptions extends ServerOptions, Hooks, LogOptions {
  /** Function that sends the requests. Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * Timeout of one attempt including the response body, in milliseconds; 0 for none. Values over 2,147,483,647 (24 days)
   * also mean no timeout. Default: 30,000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Longest time of a call with all its retries and waits, in milliseconds. When a retry would start later, the call
   * throws the last error at once. Default: no limit.
   */
  readonly deadlineMs?: number | undefined;
  /**
   * Maximum number of retries after 429, 502, 503, 504, timeouts and connection errors; 0 for none. A PATCH is only
   * retried after 429. If `Retry-After` is more than 60 seconds, the call throws the error instead of waiting. Default:
   * 2.
   */
  readonly maxRetries?: number | undefined;
  /** Clock and random numbers, which you can replace in tests. Default: the system's clock and random numbers. */
  readonly clock?: Clock | undefined;
}

/**
 * Options for one call.
 *
 * @example
 * const signal = AbortSignal.timeout(60_000);
 * const { data: leads } = await parley.leads.list({ limit: 10 }, { signal, timeoutMs: 5000, maxRetries: 0 });
 */
export interface CallOptions {
  /** Signal that aborts the call, including its retries. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds; 0 for none. Default: `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
  /** Longest time of the call with all its retries and waits, in milliseconds. Default: `deadlineMs` of the client. */
  readonly deadlineMs?: number | undefined;
  /** Number of retries; 0 for none. Default: `maxRetries` of the client. */
  readonly maxRetries?: number | undefined;
}

/**
 * Options for one POST. Each POST has an `Idempotency-Key`, the same for every retry, so that a retry cannot make the
 * change twice.
 */
export interface PostOptions extends CallOptions {
  /**
   * Unique value for this change: 1 to 255 visible ASCII characters without spaces. For 24 hours, another call with the
   * same key and body returns the first response again and changes nothing, even from another process. A call with the
   * same key but another path or body gets a 400. Default: a random UUID for each call.
   *
   * @example
   * await parley.tickets.create({ subject: mail.subject }, { idempotencyKey: mail.messageId });
   */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Returns the options with their defaults.
 *
 * @throws TypeError if `timeoutMs` or `deadlineMs` is negative or not a number
 */
export function transportOf(options: ConnectionOptions): Transport {
  const { timeoutMs = 30_000, deadlineMs = Infinity } = options;
  for (const [name, value] of Object.entries({ timeoutMs, deadlineMs })) {
    if (!(value >= 0)) throw new TypeError(`${name} must be 0 or more milliseconds (received ${value}).`);
  }
  return {
    // The global fetch is read for each request, because tracing libraries and tests may replace it later.
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    timeoutMs,
    deadlineMs,
    maxRetries: options.maxRetries ?? 2,
    clock: options.clock ?? systemClock,
    log: logOf(options),
    hooks: options,
  };
}
