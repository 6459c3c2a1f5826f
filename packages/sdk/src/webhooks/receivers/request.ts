/**
 * `@parley/sdk/webhooks/request`: receives deliveries where requests are `Request`: Next.js, Hono, Cloudflare Workers,
 * Deno, Bun.
 *
 * @packageDocumentation
 */
import { readBytes } from "./body.ts";
import { alreadyRead } from "./error.ts";
import { type ReceiverOptions, receive } from "./receive.ts";

export * from "./common.ts";

/**
 * A handler of requests. It answers 204 when the event was handled, 400 when the delivery was refused, 500 when your
 * handler threw.
 *
 * @example Next.js, app/api/webhooks/parley/route.ts
 * export const POST = receiveWebhooks({
 *   secret: process.env.PARLEY_WEBHOOK_SECRET ?? "",
 *   on: { "lead.created": ({ data }) => console.log(data.attributes.contact.email) },
 * });
 */
export function receiveWebhooks(options: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, body } = await receive(options, request.method, request.headers, (maxBytes) => {
      if (request.bodyUsed)
        throw alreadyRead("Pass the request before its body is read, or a clone() of it.");
      return readBytes(chunksOf(request.body), maxBytes);
    });
    return new Response(body || null, { status, headers });
  };
}

/** A stream is not iterable in every runtime. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      yield chunk.value;
    }
  } finally {
    // Also after a body that is too long: the rest is not wanted.
    reader?.cancel().catch(() => {});
  }
}
