import type { Schemas } from "@parley/contract";
import type { Subscription, SubscriptionQueue } from "@parley/database";
import { conditionsOf } from "./conditions.ts";

/** Subscription with the state of its queue. */
export type SubscriptionRow = Subscription & { queue: Pick<SubscriptionQueue, "lastDeliveryAt"> | null };

/** Prisma `include` that loads a `SubscriptionRow`. */
export const withQueue = { queue: { select: { lastDeliveryAt: true } } } as const;

function shared(row: Subscription) {
  const conditions = conditionsOf(row);
  return {
    id: row.id,
    target_url: row.targetUrl,
    event_types: row.eventTypes as Schemas["SubscribedType"][],
    filters: {
      ...(row.chatbotId && { chatbot_id: row.chatbotId }),
      ...(conditions && { conditions }),
    },
    ...(row.headerNames.length > 0 && { header_names: row.headerNames }),
    ...(row.rateLimit !== null && { rate_limit: row.rateLimit }),
    ...(row.ordering !== null && { ordering: row.ordering as Schemas["DeliveryOrdering"] }),
    status: row.status as Schemas["SubscriptionStatus"],
    created_at: row.createdAt.toISOString(),
  };
}

/** Returns a new subscription with its signing secret, which no other response contains. */
export function createdSubscriptionResource(
  row: Subscription,
  secret: string,
): Schemas["CreatedSubscription"] {
  return { ...shared(row), secret };
}

/** Returns a subscription without its secret. */
export function subscriptionResource(row: SubscriptionRow): Schemas["Subscription"] {
  return {
    ...shared(row),
    failure_count: row.failureCount,
    failed_at: row.failedAt?.toISOString() ?? null,
    failure_reason: row.failureReason,
    last_delivery_at: row.queue?.lastDeliveryAt?.toISOString() ?? null,
    rotates_at: row.nextSecretAt?.toISOString() ?? null,
    updated_at: row.updatedAt.toISOString(),
  };
}
