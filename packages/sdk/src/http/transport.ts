import { codeOf, errorFrom } from "../errors/error-from.ts";
import { abortable } from "./abortable.ts";
import { type ExchangeSettings, exchange, type Fetch, type ReceivedResponse } from "./exchange.ts";
import { addIdempotencyKey, isIdempotent } from "./idempotency.ts";
import { type RetryPolicy, retryDelay } from "./retry.ts";

/** Source of the access token of a client. */
export interface TokenSource {
  /** Returns the token to send. Waits while the token is being refreshed. */
  current(): Promise<string>;
  /** Returns a new token after the API rejected a token; undefined when there is no new token. */
  replace(rejected: string): Promise<string | undefined>;
}

/** Settings for sending requests. */
export interface Transport extends RetryPolicy, ExchangeSettings {
  /** Longest time of a call with all its attempts, in milliseconds. */
  readonly deadlineMs: number;
  /** Source of the tokens that the API requires. Default: no token is sent. */
  readonly tokens?: TokenSource | undefined;
  /** Prefix of the URLs of the API, to which `tokens` and `idempotent` apply. Default: all URLs. */
  readonly urlPrefix?: string;
}

/**
 * Sends a request with token, idempotency key, timeout, retries and hooks, and refreshes a rejected token once. It rejects
 * as soon as the request is aborted.
 */
export function sendRequest(request: Request, transport: Transport): Promise<ReceivedResponse> {
  return abortable(makeAttempts(request, transport), request.signal);
}

async function makeAttempts(request: Request, transport: Transport): Promise<ReceivedResponse> {
  const { deadlineMs, maxRetries, withinMs = Infinity, clock, hooks, log } = transport;
  const start = clock.now();
  const isApi = request.url.startsWith(transport.urlPrefix ?? "");
  if (isApi && transport.tokens && !transport.idempotent) addIdempotencyKey(request);
  const idempotent = (isApi && transport.idempotent) || isIdempotent(request);
  let authorization = request.headers.get("authorization");
  let tokens = isApi && !authorization ? transport.tokens : undefined;
  let token = await tokens?.current();
  let retries = 0;

  for (let attempt = 1; ; attempt++) {
    if (token) authorization = `Bearer ${token}`;
    const context = { request: request.clone(), attempt };
    const outcome = await exchange(request, context, authorization, start + deadlineMs, transport);
    const { response, body, error } = outcome;

    const delayMs = retries < maxRetries ? retryDelay(outcome, idempotent, retries, clock) : undefined;
    if (delayMs !== undefined && clock.now() - start + delayMs <= Math.min(deadlineMs, withinMs)) {
      log("warn", request, `${response ? response.status : error.code}, retry in ${delayMs} ms`);
      await hooks.onRetry?.({ ...context, delayMs, response: response?.clone(), error });
      await clock.sleep(delayMs, request.signal);
      retries++;
      continue;
    }

    if (error) throw error;
    // The API rejects a token before it changes anything, so a request with any method can be sent again.
    const isRejected = response.status === 401 && codeOf(body) === "invalid_token";
    token = isRejected && token ? await tokens?.replace(token) : undefined;
    tokens = undefined;
    if (!token) return outcome;
  }
}

/**
 * Returns {@link sendRequest} as a `fetch`.
 *
 * @throws {@link UnexpectedResponseError} if the request accepts only JSON and a 2xx response is not JSON
 */
export function createFetch(transport: Transport): Fetch {
  return async (request) => {
    const { response, body } = await sendRequest(request, transport);
    const isJson = body === "" || typeof body === "object";
    if (response.ok && !isJson && request.headers.get("accept") === "application/json")
      throw errorFrom(response, body, transport.clock.now());
    return response;
  };
}
