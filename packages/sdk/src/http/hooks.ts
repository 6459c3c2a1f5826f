import type { ConnectionError } from "../errors/transport-errors.ts";

/** What {@link Hooks.onRequest} receives. */
export interface RequestContext {
  /**
   * Copy of the request, without `Authorization`. Headers that `onRequest` sets are sent. The body of a request to an OAuth
   * endpoint contains secrets.
   */
  readonly request: Request;
  /** Number of the attempt within the call, from 1. */
  readonly attempt: number;
}

/** What {@link Hooks.onResponse} receives. */
export interface ResponseContext extends RequestContext {
  /** Copy of the response, with an unread body. The body of a response of the token endpoint contains tokens. */
  readonly response: Response;
  /** Time from sending the request to the end of the response body, in milliseconds. */
  readonly durationMs: number;
  /** ID of the request, which the operator finds in the server's log; null if a proxy removed it. */
  readonly requestId: string | null;
}

/** What {@link Hooks.onRetry} receives. `request` and `attempt` are those of the failed attempt. */
export interface RetryContext extends RequestContext {
  /** Time until the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** Copy of the response; undefined if no complete response arrived. */
  readonly response?: Response | undefined;
  /** The error if no complete response arrived. */
  readonly error?: ConnectionError | undefined;
}

/**
 * Functions that observe the attempts of calls, for example for tracing and metrics. They also receive the requests that
 * refresh tokens. A call waits for its hooks, without a timeout. If a hook throws, the call rejects with its error and is
 * not retried.
 *
 * @example
 * const traced = new Parley({
 *   baseUrl: "https://parley.example.com",
 *   accessToken: "parley_at_0",
 *   onRequest: ({ request }) => request.headers.set("traceparent", traceparent),
 *   onResponse: ({ request, response, durationMs }) => console.log(request.url, response.status, durationMs),
 *   onRetry: ({ attempt, delayMs, error }) => console.log(attempt, delayMs, error?.code),
 * });
 */
export interface Hooks {
  /** Function that is called before each attempt. It can set headers of the request. Default: none. */
  readonly onRequest?: ((context: RequestContext) => void | Promise<void>) | undefined;
  /** Function that is called after each complete response, with any status. Default: none. */
  readonly onResponse?: ((context: ResponseContext) => void | Promise<void>) | undefined;
  /** Function that is called before the delay of each retry. Default: none. */
  readonly onRetry?: ((context: RetryContext) => void | Promise<void>) | undefined;
}
