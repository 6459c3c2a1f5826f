/** A subscription starts to fail, is failed and paused, or works again. */
export type SubscriptionHealth = "failing" | "failed" | "recovered";

/** What a notice says about its subscription. */
interface Subscription {
  subscriptionId: string;
  organizationId: string;
  targetUrl: string;
}

/** What the operator is told of a subscription. */
export interface Notice {
  type: `subscription.${SubscriptionHealth}`;
  /** JSON, exactly as it is signed and sent. */
  body: string;
}

/** @param now milliseconds since 1970 */
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
