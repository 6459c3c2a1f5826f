import { ConnectionError } from "../errors/transport-errors.ts";
import { withDeadline } from "./deadline.ts";

/** Sends one request. `globalThis.fetch` is one; so is a wrapper around it. */
export type Fetch = (request: Request) => Promise<Response>;

/** An answer whose body has arrived. */
export interface Answer {
  /** Can be read (once more) by whoever called. */
  readonly response: Response;
  /** The body as JSON, or as text where it is not JSON. */
  readonly body: unknown;
}

/**
 * One request, one answer, body included: an answer that stops half-way is a failure like any other. The request stays
 * unread, so it can be sent again.
 *
 * @throws {@link ConnectionError} when no whole answer came; the reason of the request's signal when that was aborted.
 */
export async function exchange(
  request: Request,
  token: string | undefined,
  fetch: Fetch,
  timeoutMs: number,
): Promise<Answer> {
  try {
    return await withDeadline(request.signal, timeoutMs, async (signal) => {
      const outgoing = new Request(request.clone(), { signal });
      if (token) outgoing.headers.set("authorization", `Bearer ${token}`);
      return await readWhole(await fetch(outgoing));
    });
  } catch (cause) {
    if (request.signal.aborted || cause instanceof ConnectionError) throw cause;
    const description = `No answer from ${new URL(request.url).origin}`;
    throw new ConnectionError({ code: "connection_error", description, cause });
  }
}

async function readWhole(response: Response): Promise<Answer> {
  // In a browser, a redirect that is not followed has the status 0, of which no new Response can be made.
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
