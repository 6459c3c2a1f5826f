import { codeOf, errorFrom } from "../errors/error-from.ts";
import type { Clock } from "./clock.ts";
import { type Answer, exchange, type Fetch } from "./exchange.ts";
import { addIdempotencyKey } from "./idempotency.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";

/** Where the access token comes from. */
export interface TokenSource {
  /** The token to send; waits while it is being renewed. */
  current(signal: AbortSignal): Promise<string>;
  /** A token other than the refused one; undefined when there is no way to get one. */
  replace(refused: string, signal: AbortSignal): Promise<string | undefined>;
}

/** The tokens of one API. */
export interface ApiTokens {
  readonly source: TokenSource;
  /** Start of the addresses that the tokens may be sent to. */
  readonly scope: string;
  /** Whether every operation of the API is idempotent, so that no request needs a key. */
  readonly repeatable: boolean;
}

/** How requests are sent. */
export interface Transport extends RetryPolicy {
  readonly fetch: Fetch;
  /** For one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly tokens?: ApiTokens | undefined;
}

/** Sends requests: adds the token, the key of a POST, time-outs, retries and one renewal of a token that was refused. */
export function createSender(transport: Transport): (request: Request) => Promise<Answer> {
  const { fetch, timeoutMs, clock, tokens } = transport;
  return async (request) => {
    const api = tokens && request.url.startsWith(tokens.scope) ? tokens : undefined;
    const repeatable = api?.repeatable || transport.repeatable;
    if (api && !repeatable) addIdempotencyKey(request);
    const attempt = (token?: string) =>
      withRetries(request, { ...transport, repeatable }, clock, () =>
        exchange(request, token, fetch, timeoutMs),
      );
    if (!api || request.headers.has("authorization")) return attempt();

    const token = await api.source.current(request.signal);
    const answer = await attempt(token);
    // The service refused it before it did anything, so any method may be sent again.
    if (answer.response.status !== 401 || codeOf(answer.body) !== "invalid_token") return answer;
    const other = await api.source.replace(token, request.signal);
    return other === undefined ? answer : attempt(other);
  };
}

/** The same as a `fetch`. A success that is not JSON, though JSON was asked for, is an error. */
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
