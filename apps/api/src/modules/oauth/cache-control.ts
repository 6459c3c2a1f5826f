import type { FastifyInstance } from "fastify";
import { pathOf } from "../../http/path-of.ts";

/**
 * How OAuth and the pages answer, whatever comes, also where there is no such method: nothing is stored anywhere, RFC 6749
 * section 5.1. Call it before other hooks, which may refuse a request.
 */
export function storeNothing(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!/^\/(?:api\/oauth|account)(?:\/|$)/.test(pathOf(request))) return;
    reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
  });
}
