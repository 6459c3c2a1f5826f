/**
 * `@parley/sdk/webhooks/fastify`: receives webhook deliveries in a Fastify app.
 *
 * @packageDocumentation
 */

import type { WebhookPayload } from "../payload.ts";
import { readBytes } from "./body.ts";
import { alreadyRead } from "./error.ts";
import { type ReceiverOptions, receive } from "./receive.ts";

export * from "./common.ts";

/** Options of the Fastify plugin: the path of its route, and the options of every receiver. */
export interface FastifyReceiverOptions extends ReceiverOptions {
  /** Path of the route. Default: `/`, for use with a `prefix`. */
  readonly path?: string | undefined;
}

/** Part of `FastifyInstance` that the plugin uses. */
export interface FastifyApp {
  /** Removes the content type parsers of this scope. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a content type parser to this scope. */
  addContentTypeParser(
    type: string,
    parser: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void,
  ): unknown;
  /** Adds a POST route. */
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

interface FastifyRequest {
  readonly method: string;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly body: unknown;
}

interface FastifyReply {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body?: string): unknown;
}

/**
 * Returns a plugin with one POST route that receives the raw body. The other routes of the app keep their content type
 * parsers. The route responds with 204 when the event was handled, 400 when the delivery was rejected and 500 when your
 * handler threw; see {@link ReceiverOptions} for the other statuses.
 *
 * @example
 * app.register(
 *   receiveWebhooks({
 *     path: "/webhooks/parley",
 *     secret: process.env.PARLEY_WEBHOOK_SECRET ?? "",
 *     on: { "lead.created": ({ data }) => console.log(data.attributes.contact.email) },
 *   }),
 * );
 */
export function receiveWebhooks(options: FastifyReceiverOptions): (app: FastifyApp) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_, body, done) => done(null, body));
    app.post(options.path ?? "/", async (request, reply) => {
      const read = (maxBytes: number) => bodyOf(request.body, maxBytes);
      const { status, headers, body } = await receive(options, request.method, request.headers, read);
      reply.code(status);
      reply.headers(headers);
      return reply.send(body);
    });
  };
}

/** Reads the stream that the content type parser passed on. */
async function bodyOf(body: unknown, maxBytes: number): Promise<WebhookPayload> {
  if (body === undefined) return "";
  if (typeof body === "object" && body && Symbol.asyncIterator in body)
    return await readBytes(body as AsyncIterable<Uint8Array>, maxBytes);
  throw alreadyRead("Register the receiver with app.register(), without fastify-plugin around it.");
}
