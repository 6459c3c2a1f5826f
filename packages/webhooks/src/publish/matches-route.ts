import { everyChatbot, everyType } from "./record-events.ts";

/**
 * SQL condition: the stored event `e` matches the row `route` of `subscription_routes`. `recordEvents` does not use it, because it parses the
 * body of each event only once.
 */
export const matchesRoute = `
  route.event_type IN (e.type, '${everyType}')
  AND route.chatbot_id IN ('${everyChatbot}'::uuid, coalesce(e.chatbot_id, '${everyChatbot}'::uuid))
  AND (route.conditions_path IS NULL OR e.body::jsonb @@ route.conditions_path)`;
