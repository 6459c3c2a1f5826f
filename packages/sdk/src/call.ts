import type { ReceivedResponse } from "./http/exchange.ts";

/** Requests that the plan of the organization allows, from the `X-RateLimit` headers of a response. */
export interface RateLimit {
  /** Requests that the plan allows in a window of a minute. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** Seconds until the next window starts. */
  readonly resetSeconds: number;
}

/** What {@link Call.withResponse} adds to the envelope. */
export interface ResponseDetails {
  /** The HTTP response with status, headers and an unread body. */
  readonly response: Response;
  /** ID of the request, which the operator finds in the server's log; null if a proxy removed it. */
  readonly requestId: string | null;
  /** Rate limit of the organization; null if the request does not count. */
  readonly rateLimit: RateLimit | null;
}

/**
 * A call of the API. `await` returns the envelope, `{ data, meta }`.
 *
 * @example
 * const { data: lead } = await parley.leads.get(leadId);
 */
export interface Call<Envelope> extends Promise<Envelope> {
  /**
   * Returns the envelope together with the HTTP response, the ID of the request and the rate limit.
   *
   * @example
   * const { data, requestId, rateLimit } = await parley.leads.get(leadId).withResponse();
   * console.log(data.id, requestId, rateLimit?.remaining);
   */
  withResponse(): Promise<Envelope & ResponseDetails>;
}

/** Converts the promise of a response to a `Call`. */
export function callOf<Envelope extends object>(received: Promise<ReceivedResponse>): Call<Envelope> {
  const envelope = received.then(({ body }) => body as Envelope);
  return Object.assign(envelope, {
    withResponse() {
      envelope.catch(() => {}); // Not an unhandled rejection: the promise below rejects.
      return received.then(({ body, response }) => ({
        ...(body as Envelope),
        response,
        requestId: response.headers.get("x-request-id"),
        rateLimit: rateLimitOf(response.headers),
      }));
    },
  });
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const read = (name: string) => Number.parseInt(headers.get(`x-ratelimit-${name}`) ?? "", 10);
  const [limit, remaining, resetSeconds] = [read("limit"), read("remaining"), read("reset")];
  return limit >= 0 ? { limit, remaining, resetSeconds } : null;
}
