import { errorFrom } from "../errors/error-from.ts";
import type { ReceivedResponse } from "./exchange.ts";
import { sendRequest, type Transport } from "./transport.ts";

/** A request with a JSON body. */
export interface JsonRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request and returns the response, with its JSON. Redirects are not followed: a POST would become a GET, and the
 * token could be sent to another server.
 *
 * @param isExpected - checks the body of a 2xx response, which may come from a proxy
 * @throws a {@link ParleyError} for any other response. For an unexpected 2xx body, the message contains only the names
 * of its members, because the values may be tokens
 */
export async function send(
  { method, url, body, headers, signal }: JsonRequest,
  transport: Transport,
  isExpected: (body: unknown) => boolean,
): Promise<ReceivedResponse> {
  const request = new Request(url, {
    method,
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    body: JSON.stringify(body),
    redirect: "manual",
    signal: signal ?? null,
  });
  const received = await sendRequest(request, transport);
  const { response, body: content } = received;
  if (response.ok && isExpected(content)) return received;
  const quoted = response.ok && content && typeof content === "object" ? Object.keys(content) : content;
  throw errorFrom(response, quoted, transport.clock.now());
}
