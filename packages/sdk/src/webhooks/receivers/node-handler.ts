import type { WebhookPayload } from "../payload.ts";
import { readBytes, tooLarge } from "./body.ts";
import { alreadyRead } from "./error.ts";
import { type ReceiverOptions, type ReceiverResponse, receive } from "./receive.ts";

/** Part of Node's `IncomingMessage` that a receiver uses. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  /** HTTP method in upper case. */
  readonly method?: string | undefined;
  /** Headers with lower-case names. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** Whether the body was already read. */
  readonly readableEnded: boolean;
  /** Body that a body parser has set; undefined without one. */
  readonly body?: unknown;
}

/** Part of Node's `ServerResponse` that a receiver uses. */
export interface NodeResponse {
  /** HTTP status of the response. */
  statusCode: number;
  /** Whether the response was already sent, for example by a timeout. */
  readonly headersSent: boolean;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
  /** Sends the body and ends the response. */
  end(body: string): unknown;
}

/**
 * Returns a request handler for Node.js.
 *
 * @param fix - sentence for the error message: what to do so that nothing reads the body before the receiver
 */
export function nodeHandler(
  options: ReceiverOptions,
  fix: string,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const read = (maxBytes: number) => bodyOf(request, maxBytes, fix);
    void receive(options, request.method, request.headers, read).then((result) => {
      if (!response.headersSent) send(response, result);
    });
  };
}

/** Returns the raw body, even if a parser such as `express.raw()` has already read it. */
async function bodyOf(request: NodeRequest, maxBytes: number, fix: string): Promise<WebhookPayload> {
  const { body } = request;
  if (typeof body === "string" || body instanceof Uint8Array) {
    if (body.length > maxBytes) throw tooLarge(maxBytes);
    return body;
  }
  if (request.readableEnded) throw alreadyRead(fix);
  return await readBytes(request, maxBytes);
}

function send(response: NodeResponse, { status, headers, body }: ReceiverResponse): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Without this header, Node.js would parse the unread rest of the body as the next request.
  if (status === 413) response.setHeader("connection", "close");
  response.end(body);
}
