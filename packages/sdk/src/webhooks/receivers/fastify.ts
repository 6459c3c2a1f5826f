/**
 * `@parley/sdk/webhooks/fastify`: receives deliveries in a Fastify app.
 *
 * @packageDocumentation
 */
import type { WebhookPayload } from "../payload.ts";
import { readBytes } from "./body.ts";
import { alreadyRead } from "./error.ts";
import { type ReceiverOptions, receive } from "./receive.ts";

export * from "./common.ts";

/** What the plugin takes: where it listens, besides what every receiver takes. */
export interface FastifyReceiverOptions extends ReceiverOptions {
  /** The path of the route. Default `/`: give the plugin a `prefix`. */
  readonly path?: string | undefined;
}

/** Of Fastify, what the plugin needs. */
export interface FastifyApp {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void,
  ): unknown;
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
 * A plugin with one route, whose body stays raw; the parsers of the rest of the app do not change. It answers 204 when
 * the event was handled, 400 when the delivery was refused, 500 when your handler threw.
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

/** The stream that Fastify leaves alone. */
async function bodyOf(body: unknown, maxBytes: number): Promise<WebhookPayload> {
  if (body === undefined) return "";
  if (typeof body === "object" && body && Symbol.asyncIterator in body)
    return await readBytes(body as AsyncIterable<Uint8Array>, maxBytes);
  throw alreadyRead("Register the receiver with app.register(), without fastify-plugin around it.");
}
