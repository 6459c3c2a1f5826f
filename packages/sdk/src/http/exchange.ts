import { ConnectionError } from "../errors/transport-errors.ts";
import type { Clock } from "./clock.ts";
import { withDeadline } from "./deadline.ts";
import type { Hooks, RequestContext } from "./hooks.ts";
import type { Log } from "./log.ts";

/** A function that sends a request, such as `globalThis.fetch` or a wrapper around it. */
export type Fetch = (request: Request) => Promise<Response>;

/** A response whose body has arrived. */
export interface ReceivedResponse {
  /** The response, with an unread body. */
  readonly response: Response;
  /** Parsed JSON, or the text when it is not JSON. */
  readonly body: unknown;
}

/** Result of an attempt: a response, or an error if no complete response arrived. */
export type Outcome =
  | (ReceivedResponse & { readonly error?: undefined })
  | { readonly response?: undefined; readonly body?: undefined; readonly error: ConnectionError };

/** Settings for an attempt. */
export interface ExchangeSettings {
  readonly fetch: Fetch;
  /** Timeout of one attempt, in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly hooks: Hooks;
  readonly log: Log;
}

/**
 * Sends an attempt and reads the whole response. An incomplete body is a connection error. The request is cloned, so that
 * it can be sent again.
 *
 * @param context - what the hooks receive
 * @param authorization - header that the hooks do not receive; null for none
 * @param deadline - time at which the call must end, in milliseconds since 1970
 * @throws the error of a hook, or the signal's `reason` if the request is aborted
 */
export async function exchange(
  request: Request,
  context: RequestContext,
  authorization: string | null,
  deadline: number,
  { fetch, timeoutMs, clock, hooks, log }: ExchangeSettings,
): Promise<Outcome> {
  request.signal.throwIfAborted();
  const { headers } = context.request;
  headers.delete("authorization");
  await hooks.onRequest?.(context);

  const start = clock.now();
  const leftMs = Math.max(1, Math.min(deadline - start, timeoutMs || Infinity));
  const outcome: Outcome = await withDeadline(request.signal, leftMs, async (signal) => {
    const outgoing = new Request(request.clone(), { headers, signal });
    if (authorization) outgoing.headers.set("authorization", authorization);
    return readWhole(await fetch(outgoing));
  }).catch((cause: unknown) => ({ error: connectionErrorOf(cause, request) }));

  const durationMs = clock.now() - start;
  const { response, error } = outcome;
  const requestId = response?.headers.get("x-request-id") ?? null;
  const result = response ? `${response.status}, request ${requestId},` : error.code;
  log("debug", request, `${result} in ${durationMs} ms`);
  if (response) await hooks.onResponse?.({ ...context, response: response.clone(), durationMs, requestId });
  return outcome;
}

function connectionErrorOf(cause: unknown, { signal, url }: Request): ConnectionError {
  if (signal.aborted) throw cause;
  if (cause instanceof ConnectionError) return cause;
  const description = `No response from ${new URL(url).origin}. See cause.`;
  return new ConnectionError({ code: "connection_error", description, cause });
}

async function readWhole(response: Response): Promise<ReceivedResponse> {
  // In a browser, a redirect that is not followed has status 0, with which no Response can be created.
  if (response.type === "opaqueredirect") return { response, body: "" };
  const text = await response.text();
  return { response: new Response(text || null, response), body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
