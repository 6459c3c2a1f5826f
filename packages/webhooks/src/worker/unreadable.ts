import { noticeOf } from "../notices/notice.ts";
import { unreadableReason } from "../signing-secret.ts";
import type { Lease } from "./leases.ts";
import type { DeliveryLoopOptions } from "./options.ts";

/**
 * Records one failure of a subscription whose secrets no key decrypts, until a delivery succeeds. The subscription does
 * not become `failed`, because the cause is a missing key of the server, not the subscription.
 */
export async function recordUnreadable(
  { db, log, observer, notices }: DeliveryLoopOptions,
  lease: Lease,
  now: number,
): Promise<void> {
  const { subscriptionId, organizationId } = lease;
  log.error(
    { subscription: subscriptionId, organization: organizationId },
    "secrets of the subscription cannot be decrypted: check PARLEY_ENCRYPTION_KEY",
  );
  const notice = noticeOf("failing", lease, 1, unreadableReason, now);
  const { rows } = await db.query({
    name: "record-unreadable",
    text: `
      WITH failing AS (
        UPDATE subscriptions SET failure_count = greatest(failure_count, 1), failure_reason = $2, updated_at = now()
        WHERE id = $1 AND status = 'active' AND (failure_count = 0 OR failure_reason IS DISTINCT FROM $2)
        RETURNING id
      ), notice AS (
        INSERT INTO notices (type, body)
        SELECT notice.type, notice.body FROM failing, json_to_recordset($3) AS notice (type text, body text)
      )
      SELECT id FROM failing`,
    values: [subscriptionId, unreadableReason, JSON.stringify(notices ? [notice] : [])],
  });
  if (rows.length > 0) observer?.subscriptionChanged?.("failing");
}
