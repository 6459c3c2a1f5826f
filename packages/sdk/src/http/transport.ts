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

/**
 * The `fetch` for openapi-fetch: adds the token, the key of a POST, time-outs, retries and one renewal of a token that was
 * refused.
 */
export function createFetch(transport: Transport): Fetch {
  const { fetch, timeoutMs, clock, tokens } = transport;
  const send = (request: Request, token?: string) =>
    withRetries(request, transport, clock, () => exchange(request, token, fetch, timeoutMs));

  async function sendWithToken(request: Request, source: TokenSource): Promise<Answer> {
    const token = await source.current(request.signal);
    const answer = await send(request, token);
    // The service refused it before it did anything, so any method may be sent again.
    if (answer.response.status !== 401 || codeOf(answer.body) !== "invalid_token") return answer;
    const other = await source.replace(token, request.signal);
    return other === undefined ? answer : await send(request, other);
  }

  return async (request) => {
    const api = tokens && request.url.startsWith(tokens.scope) ? tokens : undefined;
    if (api) addIdempotencyKey(request);
    const answer =
      api && !request.headers.has("authorization")
        ? await sendWithToken(request, api.source)
        : await send(request);
    refuseOtherThanJson(request, answer, clock);
    return answer.response;
  };
}

/** A success that is not JSON would only surface as a SyntaxError, without status and request id. */
function refuseOtherThanJson(request: Request, { response, body }: Answer, clock: Clock): void {
  const wanted = response.ok && request.headers.get("accept") === "application/json";
  if (wanted && body !== "" && typeof body !== "object") throw errorFrom(response, body, clock.now());
}
