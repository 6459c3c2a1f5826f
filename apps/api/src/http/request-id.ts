import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { pathOf } from "./path-of.ts";
import { withoutCredentials } from "./without-credentials.ts";

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;
const healthChecks = new Set(["/healthz", "/readyz"]);

/** Returns the caller's `X-Request-Id` if it is safe to log, otherwise a new one. */
export function requestId(request: Pick<IncomingMessage, "headers">): string {
  const given = request.headers["x-request-id"];
  const isSafe = typeof given === "string" && acceptable.test(given) && withoutCredentials(given) === given;
  return isSafe ? given : randomUUID();
}

/** Returns the logged fields of a request. The query is left out because it may contain credentials, RFC 9700 section 4.9; a path can contain one by mistake. */
export function loggedRequest({
  method,
  url,
  ip,
}: Pick<FastifyRequest, "method" | "url" | "ip">): Record<string, unknown> {
  return { method, path: withoutCredentials(pathOf({ url })), ip };
}

/** Whether a request is a health check. These have no lines in the log, because they arrive every few seconds. */
export function isHealthCheck(request: Pick<FastifyRequest, "url">): boolean {
  return healthChecks.has(pathOf(request));
}

/** Adds the `X-Request-Id` header to every response. */
export function sendRequestId(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
}
