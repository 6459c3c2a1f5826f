import { NIL } from "uuid";

/** Chatbot ID of a route without a filter. */
export const everyChatbot = NIL;
/** Event type of a subscription to all types, including types that are added later. */
export const everyType = "*";

/**
 * SQL condition: an event matches the row `route` of `subscription_routes`.
 *
 * @param event alias of the event
 * @param body its body as JSON
 */
export function matchesRoute(event: string, body: string): string {
  return `route.event_type IN (${event}.type, '${everyType}')
    AND route.chatbot_id IN ('${everyChatbot}'::uuid, coalesce(${event}.chatbot_id, '${everyChatbot}'::uuid))
    AND (route.conditions_path IS NULL OR ${body} @@ route.conditions_path)`;
}
