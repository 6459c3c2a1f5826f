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

/** How requests are sent. */
export interface Transport extends RetryPolicy {
  readonly fetch: Fetch;
  /** For one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** The tokens, and what the addresses begin with that they may be sent to: those of the API. */
  readonly tokens?: { readonly source: TokenSource; readonly scope: string } | undefined;
}

/** Sends requests: adds the token, the key of a POST, time-outs, retries and one renewal of a token that was refused. */
export function createSender(transport: Transport): (request: Request) => Promise<Answer> {
  const { fetch, timeoutMs, clock, tokens } = transport;
  const attempt = (request: Request, token?: string) =>
    withRetries(request, transport, clock, () => exchange(request, token, fetch, timeoutMs));

  async function sendWithToken(request: Request, source: TokenSource): Promise<Answer> {
    const token = await source.current(request.signal);
    const answer = await attempt(request, token);
    // The service refused it before it did anything, so any method may be sent again.
    if (answer.response.status !== 401 || codeOf(answer.body) !== "invalid_token") return answer;
    const other = await source.replace(token, request.signal);
    return other === undefined ? answer : await attempt(request, other);
  }

  return async (request) => {
    const api = tokens && request.url.startsWith(tokens.scope) ? tokens : undefined;
    if (api) addIdempotencyKey(request);
    return api && !request.headers.has("authorization")
      ? await sendWithToken(request, api.source)
      : await attempt(request);
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
