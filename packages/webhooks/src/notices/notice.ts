import type { Lease } from "../worker/leases.ts";
import type { SubscriptionHealth } from "../worker/options.ts";

/** What the operator is told of a subscription. */
export interface Notice {
  type: `subscription.${SubscriptionHealth}`;
  /** JSON, exactly as it is signed and sent. */
  body: string;
}

/** @param now milliseconds since 1970 */
export function noticeOf(
  state: SubscriptionHealth,
  { subscriptionId, organizationId, targetUrl }: Lease,
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
