/**
 * `@parley/sdk/webhooks/fastify`: receives deliveries in a Fastify app.
 *
 * @packageDocumentation
 */
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
    options: { parseAs: "buffer"; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
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
  const { path = "/", maxBytes = 1_048_576 } = options;
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxBytes }, (_, body, done) =>
      done(null, body),
    );
    app.post(path, async (request, reply) => {
      const { status, headers, body } = await receive(options, request.method, request.headers, async () => {
        if (request.body === undefined) return "";
        if (request.body instanceof Uint8Array) return request.body;
        throw alreadyRead("Register the receiver with app.register(), without fastify-plugin around it.");
      });
      reply.code(status);
      reply.headers(headers);
      return reply.send(body);
    });
  };
}
