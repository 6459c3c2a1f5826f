import { codeOf, errorFrom } from "../errors/error-from.ts";
import type { Clock } from "./clock.ts";
import { exchange, type Fetch, type ReceivedResponse } from "./exchange.ts";
import { addIdempotencyKey } from "./idempotency.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";

/** Source of the access token of a client. */
export interface TokenSource {
  /** Returns the token to send. Waits while the token is being refreshed. */
  current(signal: AbortSignal): Promise<string>;
  /** Returns a new token after the API rejected a token; undefined when there is no new token. */
  replace(rejected: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Tokens of an API. */
export interface ApiTokens {
  readonly source: TokenSource;
  /** Prefix of the URLs to which tokens are sent. */
  readonly urlPrefix: string;
  /** Whether every operation of the API is idempotent, so that no request needs an idempotency key. */
  readonly idempotent: boolean;
}

/** Settings for sending requests. */
export interface Transport extends RetryPolicy {
  readonly fetch: Fetch;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Longest time of a call with all its attempts, in milliseconds. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly tokens?: ApiTokens | undefined;
}

/**
 * Returns a function that sends requests with token, idempotency key, timeout and retries, and refreshes a rejected token
 * once.
 */
export function createSender(transport: Transport): (request: Request) => Promise<ReceivedResponse> {
  const { fetch, timeoutMs, deadlineMs, clock, tokens } = transport;
  return async (request) => {
    const api = tokens && request.url.startsWith(tokens.urlPrefix) ? tokens : undefined;
    const idempotent = api?.idempotent || transport.idempotent;
    if (api && !idempotent) addIdempotencyKey(request);
    const deadline = clock.now() + deadlineMs;
    const attempt = (token?: string) => {
      const withinMs = Math.min(transport.withinMs ?? Infinity, deadline - clock.now());
      return withRetries(request, { ...transport, idempotent, withinMs }, clock, () => {
        const left = Math.max(1, deadline - clock.now());
        return exchange(request, token, fetch, left < (timeoutMs || Infinity) ? left : timeoutMs);
      });
    };
    if (!api || request.headers.has("authorization")) return attempt();

    const token = await api.source.current(request.signal);
    const received = await attempt(token);
    // The API rejects a token before it changes anything, so a request with any method can be sent again.
    if (received.response.status !== 401 || codeOf(received.body) !== "invalid_token") return received;
    const other = await api.source.replace(token, request.signal);
    return other === undefined ? received : attempt(other);
  };
}

/**
 * Returns {@link createSender} as a `fetch`.
 *
 * @throws {@link UnexpectedResponseError} if the request accepts only JSON and a 2xx response is not JSON
 */
export function createFetch(transport: Transport): Fetch {
  const send = createSender(transport);
  return async (request) => {
    const { response, body } = await send(request);
    const isJson = body === "" || typeof body === "object";
    if (response.ok && !isJson && request.headers.get("accept") === "application/json")
      throw errorFrom(response, body, transport.clock.now());
    return response;
  };
}
