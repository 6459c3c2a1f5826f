import { ConnectionError } from "../errors/transport-errors.ts";
import { withDeadline } from "./deadline.ts";

/** A function that sends a request, such as `globalThis.fetch` or a wrapper around it. */
export type Fetch = (request: Request) => Promise<Response>;

/** A response whose body has arrived. */
export interface ReceivedResponse {
  /** The response, with an unread body. */
  readonly response: Response;
  /** Parsed JSON, or the text when it is not JSON. */
  readonly body: unknown;
}

/**
 * Sends a request and reads the whole response. An incomplete body is a connection error. The request is cloned, so
 * that it can be sent again.
 *
 * @throws {@link ConnectionError} if no complete response arrived; the signal's `reason` if the request is aborted
 */
export async function exchange(
  request: Request,
  token: string | undefined,
  fetch: Fetch,
  timeoutMs: number,
): Promise<ReceivedResponse> {
  try {
    return await withDeadline(request.signal, timeoutMs, async (signal) => {
      const outgoing = new Request(request.clone(), { signal });
      if (token) outgoing.headers.set("authorization", `Bearer ${token}`);
      return await readWhole(await fetch(outgoing));
    });
  } catch (cause) {
    if (request.signal.aborted || cause instanceof ConnectionError) throw cause;
    const description = `No response from ${new URL(request.url).origin}. See cause.`;
    throw new ConnectionError({ code: "connection_error", description, cause });
  }
}

async function readWhole(response: Response): Promise<ReceivedResponse> {
  // In a browser, a redirect that is not followed has status 0, with which no Response can be created.
  if (response.type === "opaqueredirect") return { response, body: "" };
  const text = await response.text();
  const { status, statusText, headers } = response;
  return { response: new Response(text || null, { status, statusText, headers }), body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
