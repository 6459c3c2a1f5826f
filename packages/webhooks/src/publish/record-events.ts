import type { Transaction } from "@parley/database";
import type { Tracing } from "@parley/monitoring/tracing";
import { NIL, v7 as uuidv7 } from "uuid";
import { eventBody, type NewEvent, recordOf, timeOf } from "./event.ts";

/** Chatbot ID of a route without a filter. */
export const everyChatbot = NIL;
/** Event type of a subscription to all types, including types that are added later. */
export const everyType = "*";

/**
 * Writes events, and their deliveries for all active subscriptions of the organization with that event type and matching filters, in
 * one statement. While the gap of a subscription is filled, its new events join the gap. With tracing, stores the trace context of each event, so that its attempts continue the trace.
 *
 * @param start of the change
 * @returns the IDs of these subscriptions
 */
export async function recordEvents(
  tx: Transaction,
  organizationId: string,
  events: NewEvent[],
  start: Date,
  tracing?: Tracing,
): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map((event) => {
    const id = uuidv7(); // Monotonic within a millisecond, so events keep their order.
    const { type, chatbotId } = event;
    const traceparent = tracing && traceEvent(tracing, id, type);
    const created_at = timeOf(event, start);
    const body = eventBody(id, event, created_at);
    return { id, type, chatbot_id: chatbotId, record_id: recordOf(event), body, created_at, traceparent };
  });
  const deliveries = await tx.$queryRaw<{ subscriptionId: string }[]>`
    WITH event AS (
      INSERT INTO events (id, organization_id, type, chatbot_id, record_id, body, created_at, traceparent)
      SELECT id, ${organizationId}::uuid, type, chatbot_id, record_id, body, created_at, traceparent
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS new (id uuid, type text, chatbot_id uuid, record_id uuid, body text, created_at timestamptz, traceparent text)
      RETURNING id, organization_id, type, chatbot_id, record_id, body, sequence
    ), parsed AS MATERIALIZED (
      SELECT id, body::jsonb AS body FROM event -- Only executed if a subscription has conditions.
    )
    INSERT INTO deliveries (organization_id, subscription_id, event_id, record_key, sequence)
    SELECT event.organization_id, subscriptions.id, event.id,
           CASE WHEN subscriptions.ordering IS NOT NULL THEN event.record_id END,
           CASE WHEN subscriptions.ordering IS NOT NULL THEN event.sequence END
    FROM event
    JOIN subscription_routes route ON route.organization_id = event.organization_id AND route.event_type IN (event.type, ${everyType})
      AND route.chatbot_id IN (${everyChatbot}::uuid, coalesce(event.chatbot_id, ${everyChatbot}::uuid))
    JOIN subscriptions ON subscriptions.id = route.subscription_id
    WHERE subscriptions.status = 'active' AND NOT subscriptions.filling_gap
      AND (route.conditions_path IS NULL OR (SELECT body FROM parsed WHERE parsed.id = event.id) @@ route.conditions_path)
    ORDER BY event.sequence
    RETURNING subscription_id AS "subscriptionId"`;
  return [...new Set(deliveries.map(({ subscriptionId }) => subscriptionId))];
}

/** Adds the span of an event. Returns its trace context; null if the trace is not sampled. */
function traceEvent(tracing: Tracing, id: string, type: string): string | null {
  const attributes = { "parley.event.id": id, "parley.event.type": type };
  const span = tracing.start(`publish ${type}`, { kind: "producer", attributes });
  span.end();
  return span.traceparent;
}
