import type { Schemas } from "@parley/contract";
import type { Subscription } from "@parley/database";

type Shared = Pick<
  Schemas["Subscription"],
  "id" | "target_url" | "event_types" | "filters" | "status" | "created_at"
>;

function shared(row: Subscription): Shared {
  return {
    id: row.id,
    target_url: row.targetUrl,
    event_types: row.eventTypes as Schemas["EventType"][],
    filters: row.chatbotId ? { chatbot_id: row.chatbotId } : {},
    status: row.status as Schemas["SubscriptionStatus"],
    created_at: row.createdAt.toISOString(),
  };
}

/** The only shape that holds the signing secret, specification §2.5. */
export function createdSubscriptionResource(
  row: Subscription,
  secret: string,
): Schemas["CreatedSubscription"] {
  return { ...shared(row), secret };
}

/** A subscription as lists show it. */
export function subscriptionResource(row: Subscription): Schemas["Subscription"] {
  return { ...shared(row), failure_count: row.failureCount, updated_at: row.updatedAt.toISOString() };
}
