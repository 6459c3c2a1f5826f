import type { WebhookPayload } from "../payload.ts";
import { readBytes, tooLarge } from "./body.ts";
import { alreadyRead } from "./error.ts";
import { type Answer, type ReceiverOptions, receive } from "./receive.ts";

/** Of Node's `IncomingMessage`, what a receiver needs. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly readableEnded: boolean;
  /** What a body parser has put there. */
  readonly body?: unknown;
}

/** Of Node's `ServerResponse`, what a receiver needs. */
export interface NodeResponse {
  statusCode: number;
  /** Something else has answered already, such as a time-out. */
  readonly headersSent: boolean;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/** A receiver for Node's requests. @param fix - what to do about a body that something else has read */
export function nodeHandler(
  options: ReceiverOptions,
  fix: string,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const read = (maxBytes: number) => bodyOf(request, maxBytes, fix);
    void receive(options, request.method, request.headers, read).then((answer) => {
      if (!response.headersSent) send(response, answer);
    });
  };
}

/** A parser that keeps the body as it came may have been there first. */
async function bodyOf(request: NodeRequest, maxBytes: number, fix: string): Promise<WebhookPayload> {
  const { body } = request;
  if (typeof body === "string" || body instanceof Uint8Array) {
    if (body.length > maxBytes) throw tooLarge(maxBytes);
    return body;
  }
  if (request.readableEnded) throw alreadyRead(fix);
  return await readBytes(request, maxBytes);
}

function send(response: NodeResponse, { status, headers, body }: Answer): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // What of the body was not read would be taken for the next request.
  if (status === 413) response.setHeader("connection", "close");
  response.end(body);
}
