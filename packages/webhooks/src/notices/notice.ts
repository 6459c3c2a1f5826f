/** Change of a subscription: a delivery failed, the status became `failed`, or a delivery succeeded again. */
export type SubscriptionHealth = "failing" | "failed" | "recovered";

/** Subscription of a notice. */
interface Subscription {
  subscriptionId: string;
  organizationId: string;
  targetUrl: string;
}

/** Notice to the operator about a subscription. */
export interface Notice {
  type: `subscription.${SubscriptionHealth}`;
  /** JSON, exactly as it is signed and sent. */
  body: string;
}

/** Creates a notice. @param now milliseconds since 1970 */
export function noticeOf(
  state: SubscriptionHealth,
  { subscriptionId, organizationId, targetUrl }: Subscription,
  failureCount: number,
  reason: string | null,
  now: number,
): Notice {
  const type = `subscription.${state}` as const;
  const data = {
    subscription_id: subscriptionId,
    organization_id: organizationId,
    target_url: targetUrl,
    failure_count: failureCount,
    failure_reason: reason,
  };
  return { type, body: JSON.stringify({ type, created_at: new Date(now).toISOString(), data }) };
}
