/**
 * `@parley/sdk/webhooks/request`: receives webhook deliveries as a Fetch API `Request`, for Next.js, Hono, Cloudflare
 * Workers, Deno and Bun.
 *
 * @packageDocumentation
 */

import { chunksOf, readBytes } from "./body.ts";
import { alreadyRead } from "./error.ts";
import { type ReceiverOptions, receive } from "./receive.ts";

export * from "./common.ts";

/**
 * Returns a function from `Request` to `Response`. It responds with 204 when the event was handled, 400 when the delivery
 * was rejected and 500 when your handler threw; see {@link ReceiverOptions} for the other statuses.
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
        throw alreadyRead(
          "Pass the request to the receiver before its body is read, or pass a clone() of it.",
        );
      return readBytes(chunksOf(request.body), maxBytes);
    });
    return new Response(body || null, { status, headers });
  };
}
