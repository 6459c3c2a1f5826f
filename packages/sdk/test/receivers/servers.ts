import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import * as forExpress from "../../src/webhooks/receivers/express.ts";
import * as forFastify from "../../src/webhooks/receivers/fastify.ts";
import * as forNode from "../../src/webhooks/receivers/node.ts";
import type { ReceiverOptions } from "../../src/webhooks/receivers/receive.ts";
import * as forRequest from "../../src/webhooks/receivers/request.ts";

/** Web framework that serves a receiver at `/hook`, also behind each of the `parsers`. */
export interface Framework {
  readonly name: string;
  readonly serve: (options: ReceiverOptions) => Promise<string>;
  readonly parsers: Record<string, (options: ReceiverOptions) => Promise<string>>;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

function expressApp(options: ReceiverOptions, parser?: express.RequestHandler): Promise<string> {
  const app = express();
  if (parser) app.use(parser);
  app.post("/hook", forExpress.receiveWebhooks(options));
  return listen(createServer(app as RequestListener));
}

async function fastifyApp(options: ReceiverOptions, encapsulated: boolean): Promise<string> {
  const app = fastify();
  const plugin = forFastify.receiveWebhooks({ ...options, path: "/hook" });
  if (encapsulated) app.register(plugin);
  // With fastify-plugin, the parsers of the app would be in the scope of the plugin.
  else {
    app.register(async (scope) => {
      await plugin(scope);
      scope.addContentTypeParser("application/json", { parseAs: "string" }, (_, body, done) =>
        done(null, JSON.parse(body.toString())),
      );
    });
  }
  onTestFinished(() => app.close());
  return `${await app.listen({ host: "127.0.0.1", port: 0 })}/hook`;
}

function honoApp(options: ReceiverOptions, readFirst: boolean): Promise<string> {
  const app = new Hono();
  const receiver = forRequest.receiveWebhooks(options);
  app.post("/hook", async (context) => {
    if (readFirst) await context.req.raw.json();
    return receiver(context.req.raw);
  });
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}/hook`),
    );
    onTestFinished(() => void server.close());
  });
}

export const frameworks: Framework[] = [
  {
    name: "node:http",
    serve: (options) => listen(createServer(forNode.receiveWebhooks(options))),
    parsers: {
      "a listener that reads the body": (options) => {
        const receiver = forNode.receiveWebhooks(options);
        return listen(
          createServer((request, response) => {
            request.on("end", () => receiver(request, response)).resume();
          }),
        );
      },
    },
  },
  {
    name: "Express 5",
    serve: (options) => expressApp(options),
    parsers: {
      "express.json()": (options) => expressApp(options, express.json()),
      "express.urlencoded() for every type": (options) =>
        expressApp(options, express.urlencoded({ type: "*/*" })),
    },
  },
  {
    name: "Fastify 5",
    serve: (options) => fastifyApp(options, true),
    parsers: { "a JSON parser in its scope": (options) => fastifyApp(options, false) },
  },
  {
    name: "Request (Hono)",
    serve: (options) => honoApp(options, false),
    parsers: { "request.json()": (options) => honoApp(options, true) },
  },
];

/** Starts Express with a middleware before the receiver. */
export function expressWithMiddleware(
  middleware: express.RequestHandler,
  options: ReceiverOptions,
): Promise<string> {
  return expressApp(options, middleware);
}

/** Starts Express with a parser that keeps the raw body. */
export function expressWithParser(parser: "raw" | "text", options: ReceiverOptions): Promise<string> {
  return expressApp(options, express[parser]({ type: "*/*" }));
}
