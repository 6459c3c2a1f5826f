import type { Span, Tracing } from "@parley/monitoring/tracing";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Operations that supervisors request every few seconds. */
const healthChecks = ["checkLiveness", "checkReadiness"];

/**
 * Starts a span for each request of an operation, which is the parent of the spans of its changes. The span has no path, query or
 * address, because they may contain secrets or personal data.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (!operation || healthChecks.includes(operation.operationId)) return done();
    const { method, headers, protocol } = request;
    const span = tracing.start(`${method} ${operation.path}`, {
      kind: "server",
      parent: { headers },
      attributes: {
        "http.request.method": method,
        "http.route": operation.path,
        "url.scheme": protocol,
        "parley.operation.id": operation.operationId,
        "parley.request.id": request.id,
      },
    });
    spans.set(request, span);
    request.log = reply.log = request.log.child({ trace_id: span.traceId });
    reply.raw.once("close", () => endSpan(span, request, reply.raw.headersSent ? reply.statusCode : null));
    span.run(done);
  });
  // The body is parsed outside of the span, because its events come from the connection.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}

/** @param status null if the client disconnected before the response */
function endSpan(
  span: Span,
  { error, caller, platformOrganizationId }: FastifyRequest,
  status: number | null,
): void {
  const organizationId = caller?.organizationId ?? platformOrganizationId;
  if (organizationId) span.set({ "parley.organization.id": organizationId });
  if (error) span.set({ "parley.error.code": error.code });
  if (status !== null) span.set({ "http.response.status_code": status });
  if (status === null) span.fail("client_disconnected");
  else if (status >= 500) span.fail(String(status));
  span.end();
}
