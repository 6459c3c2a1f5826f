import type { FastifyInstance } from "fastify";
import { pathOf } from "../../http/path-of.ts";

/**
 * Adds `Cache-Control: no-store` to every response of OAuth and console paths, errors included, RFC 6749 section 5.1. Call it
 * before other hooks, which may reject a request.
 */
export function preventCaching(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!/^\/(?:api\/oauth|console)(?:\/|$)/.test(pathOf(request))) return;
    reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
  });
}
