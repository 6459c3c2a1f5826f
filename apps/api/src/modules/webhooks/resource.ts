import type { Schemas } from "@parley/contract";
import type { OAuthClient, Subscription, SubscriptionQueue, User } from "@parley/database";
import { isGapComplete } from "@parley/webhooks";
import { conditionsOf } from "./conditions.ts";

/** Subscription with the state of its queue, and with who created it. */
export type SubscriptionRow = Subscription & {
  queue: Pick<SubscriptionQueue, "lastDeliveryAt" | "circuitOpenUntil"> | null;
  user: Pick<User, "id" | "name"> | null;
  client: Pick<OAuthClient, "id" | "name"> | null;
};

const idAndName = { select: { id: true, name: true } } as const;

/** Prisma `include` that loads a `SubscriptionRow`. */
export const subscriptionRelations = {
  queue: { select: { lastDeliveryAt: true, circuitOpenUntil: true } },
  user: idAndName,
  client: idAndName,
} as const;

/** Returns the path of the public keys of an organization. */
export function publicKeysPath(organizationId: string): string {
  return `/.well-known/parley/${organizationId}/webhook-keys.json`;
}

function shared(row: Subscription, baseUrl: string) {
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
    ...(row.publicKeySignature && {
      public_key_signature: true,
      public_keys_url: baseUrl + publicKeysPath(row.organizationId),
    }),
    ...(!row.enabled && { enabled: false }),
    status: row.status as Schemas["SubscriptionStatus"],
    created_at: row.createdAt.toISOString(),
  };
}

/**
 * Returns a new subscription with its signing secret, which no other response contains.
 *
 * @param baseUrl public root address of the server
 */
export function createdSubscriptionResource(
  row: Subscription,
  secret: string,
  baseUrl: string,
): Schemas["CreatedSubscription"] {
  return { ...shared(row, baseUrl), secret };
}

/**
 * Returns a subscription without its secret.
 *
 * @param baseUrl public root address of the server
 */
export function subscriptionResource(row: SubscriptionRow, baseUrl: string): Schemas["Subscription"] {
  return {
    ...shared(row, baseUrl),
    failure_count: row.failureCount,
    failed_at: row.failedAt?.toISOString() ?? null,
    failure_reason: row.failureReason,
    ...(row.gapFrom && {
      gap_from: row.gapFrom.toISOString(),
      gap_complete: isGapComplete(row),
      filling_gap: row.fillingGap,
    }),
    last_delivery_at: row.queue?.lastDeliveryAt?.toISOString() ?? null,
    rotates_at: row.nextSecretAt?.toISOString() ?? null,
    ...((row.user ?? row.client) && { created_by: { user: row.user, client: row.client } }),
    updated_at: row.updatedAt.toISOString(),
  };
}
