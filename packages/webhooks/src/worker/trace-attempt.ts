import type { Span, Tracing } from "@parley/monitoring/tracing";
import type { AttemptResult } from "../delivery/attempt.ts";
import type { Lease } from "./leases.ts";
import type { PendingDelivery } from "./pending-deliveries.ts";

/**
 * Starts the span of an attempt as a child of its event; undefined if the event is not traced. The span has only the host of the URL,
 * because paths and queries of webhooks may contain secrets.
 */
export function traceAttempt(
  tracing: Tracing | undefined,
  { subscriptionId, organizationId, targetUrl }: Lease,
  { id, eventId, eventType, attempts, traceparent }: PendingDelivery,
): Span | undefined {
  if (!tracing || traceparent === null) return undefined;
  const { hostname, port, protocol } = new URL(targetUrl);
  return tracing.start("POST", {
    kind: "client",
    parent: { traceparent },
    attributes: {
      "http.request.method": "POST",
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "http:" ? 80 : 443),
      "parley.organization.id": organizationId,
      "parley.subscription.id": subscriptionId,
      "parley.delivery.id": id,
      "parley.delivery.attempt": attempts + 1,
      "parley.event.id": eventId,
      "parley.event.type": eventType,
    },
  });
}

/** Ends the span of an attempt with its result. */
export function endAttempt(span: Span | undefined, { delivered, statusCode }: AttemptResult): void {
  if (!span) return;
  if (statusCode !== null) span.set({ "http.response.status_code": statusCode });
  if (!delivered) span.fail(statusCode === null ? "no_response" : String(statusCode));
  span.end();
}
