import { Prisma, type Transaction } from "@parley/database";
import type { Tracing } from "@parley/monitoring/tracing";
import { v7 as uuidv7 } from "uuid";
import { eventBody, type NewEvent, recordOf, timeOf } from "./event.ts";
import { matchesRoute } from "./routes.ts";

/** Its body is parsed once for all subscriptions. */
const matches = Prisma.raw(matchesRoute("event", "(SELECT body FROM parsed WHERE parsed.id = event.id)"));

/**
 * Writes events, and their deliveries for all active subscriptions of the organization with that event type and matching filters, in
 * one statement. Subscriptions that are failed, disabled or being filled skip the events instead. With tracing, stores the trace context of each event, so that its attempts continue the trace.
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
    ), matched AS MATERIALIZED (
      SELECT event.organization_id, event.id AS event_id, event.record_id, event.sequence, subscriptions.id AS subscription_id,
             subscriptions.ordering IS NOT NULL AS is_ordered, subscriptions.gap_from,
             subscriptions.status = 'active' AND subscriptions.enabled AND NOT subscriptions.filling_gap AS is_sent
      FROM event
      JOIN subscription_routes route ON route.organization_id = event.organization_id AND ${matches}
      JOIN subscriptions ON subscriptions.id = route.subscription_id
    ), skipped AS (
      INSERT INTO skipped_events (subscription_id, gap_from, sequence, event_id)
      SELECT subscription_id, gap_from, sequence, event_id FROM matched WHERE NOT is_sent
    )
    INSERT INTO deliveries (organization_id, subscription_id, event_id, record_key, sequence)
    SELECT organization_id, subscription_id, event_id, CASE WHEN is_ordered THEN record_id END, CASE WHEN is_ordered THEN sequence END
    FROM matched WHERE is_sent
    ORDER BY matched.sequence
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
