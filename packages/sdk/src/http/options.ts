import { type Clock, systemClock } from "./clock.ts";
import type { Fetch } from "./exchange.ts";
import type { Transport } from "./transport.ts";

/** How to send, for a whole client. */
export interface ConnectionOptions {
  /** Sends the requests. Default `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** How long one attempt may take, its body included, in milliseconds; 0 for no limit. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a request that failed in passing is sent again. Default 2; 0 for never. */
  readonly maxRetries?: number | undefined;
  /** Time and chance, for tests. */
  readonly clock?: Clock | undefined;
}

/** How to send, for one call. */
export interface CallOptions {
  /** Ends the call, whatever it waits for; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** As of the client, for this call. */
  readonly timeoutMs?: number | undefined;
  /** As of the client, for this call. */
  readonly maxRetries?: number | undefined;
}

/**
 * How to send one POST. It carries an `Idempotency-Key`, the same at every attempt, so the service does once what it is
 * asked for several times.
 */
export interface PostOptions extends CallOptions {
  /**
   * A key of your own, for one and the same change: with it, not even another call, or another process after a crash,
   * does it twice. 1 to 255 characters of visible ASCII, no spaces. Good for 24 hours and for the same body alone. Default:
   * a random UUID for each call.
   *
   * @example
   * await parley.tickets.create({ subject: mail.subject }, { idempotencyKey: mail.messageId });
   */
  readonly idempotencyKey?: string | undefined;
}

/** The options with their defaults. */
export function transportOf(options: ConnectionOptions): Transport {
  const { timeoutMs = 30_000 } = options;
  if (!(timeoutMs >= 0)) throw new TypeError("timeoutMs is milliseconds, or 0 for no limit");
  return {
    // Looked up at each call, so that what patches the global fetch (tracing, tests) still has its say.
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    timeoutMs,
    maxRetries: options.maxRetries ?? 2,
    clock: options.clock ?? systemClock,
  };
}
