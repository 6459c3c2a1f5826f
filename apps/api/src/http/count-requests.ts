import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiMetrics } from "../metrics/api-metrics.ts";

/** Status of a request whose client disconnected before the response. nginx and others use the same number. */
const clientClosedRequest = 499;

/** Measures every request that Node.js could parse, including requests that Fastify rejects before its hooks run. */
export function countRequests(app: FastifyInstance, metrics: ApiMetrics): void {
  const requests = new WeakMap<ServerResponse, FastifyRequest>();
  app.addHook("onRequest", (request, reply, done) => {
    requests.set(reply.raw, request);
    done();
  });
  app.server.on("request", (_request, response) => {
    const startedAt = performance.now();
    metrics.requestStarted();
    response.once("close", () => {
      const request = requests.get(response);
      metrics.requestEnded({
        operation: operationOf(request),
        status: response.headersSent ? response.statusCode : clientClosedRequest,
        error: request?.error?.code,
        durationMs: performance.now() - startedAt,
      });
    });
  });
}

/** Returns the operation of the contract, or one value for all other routes (documentation, preflights) and one for all unknown paths. */
function operationOf(request: FastifyRequest | undefined): string {
  if (!request || request.is404) return "unknown_path";
  return request.routeOptions.config.operation?.operationId ?? "other";
}
