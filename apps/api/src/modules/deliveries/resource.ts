import type { Schemas } from "@parley/contract";
import type { DeliveryAttempt, Redelivery } from "@parley/database";
import { type DeliveryRow, type Exchange, readExchange } from "@parley/webhooks";

/** Returns a redelivery of a range with its progress. */
export function redeliveryResource(row: Redelivery): Schemas["Redelivery"] {
  return {
    id: row.id,
    status: row.status as Schemas["Redelivery"]["status"],
    event_type: row.eventType as Schemas["EventType"] | null,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    searched_until: row.searchedAt.toISOString(),
    deliveries: row.deliveries,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

type LastAttempt = Omit<DeliveryAttempt, "exchange">;

/** Returns a delivery in the format of lists, with its last attempt. */
export function deliveryResource(row: DeliveryRow, lastAttempt: LastAttempt | null): Schemas["Delivery"] {
  return {
    id: row.id,
    type: "delivery",
    attributes: { ...shared(row), last_attempt: lastAttempt && attemptResource(lastAttempt) },
  };
}

/** Returns the request of an attempt; undefined if it is not known. */
type RequestOf = (attempt: DeliveryAttempt, exchange: Exchange) => Schemas["SentRequest"] | undefined;

/** Returns a delivery with all attempts and the body. */
export function deliveryDetailsResource(
  row: DeliveryRow,
  attempts: DeliveryAttempt[],
  body: string | null,
  requestOf: RequestOf,
): Schemas["DeliveryDetails"] {
  return {
    id: row.id,
    type: "delivery",
    attributes: {
      ...shared(row),
      attempts: attempts.map((attempt) => attemptDetailsResource(attempt, requestOf)),
      body,
    },
  };
}

function shared(row: DeliveryRow) {
  return {
    subscription_id: row.subscriptionId,
    event_id: row.eventId,
    event_type: row.eventType as Schemas["EventType"],
    test: row.test,
    ...(row.redelivery && { redelivery: true as const }),
    status: row.status,
    attempt_count: row.attempts,
    next_attempt_at: row.nextAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

function attemptResource(row: LastAttempt): Schemas["DeliveryAttempt"] {
  return {
    number: row.attempt,
    attempted_at: row.attemptedAt.toISOString(),
    duration_ms: row.durationMs,
    status_code: row.statusCode,
    error: row.error,
    response_body: row.responseBody,
  };
}

/** Returns an attempt with its request and response, which are missing if nothing was sent. */
function attemptDetailsResource(row: DeliveryAttempt, requestOf: RequestOf): Schemas["DeliveryAttempt"] {
  if (row.exchange === null) return attemptResource(row);
  const exchange = readExchange(row.exchange);
  const { addresses, timings, responseHeaders } = exchange;
  const request = requestOf(row, exchange);
  const [dns, connect, tls, firstByte] = timings;
  return {
    ...attemptResource(row),
    ...(request && { request }),
    ...(responseHeaders && { response_headers: responseHeaders }),
    addresses,
    timings: { dns_ms: dns, connect_ms: connect, tls_ms: tls, first_byte_ms: firstByte },
  };
}
