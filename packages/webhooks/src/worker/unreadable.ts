import { noticeOf } from "../notices/notice.ts";
import { unreadableReason } from "../signing-secret.ts";
import type { Lease } from "./leases.ts";
import type { PumpOptions } from "./options.ts";

/**
 * Shows a subscription whose secret no key opens as failing, with one failure, until a delivery succeeds. It does not become
 * failed: where the key of the whole platform is missing, no subscription is to blame.
 */
export async function recordUnreadable(
  { db, log, observer, notices }: PumpOptions,
  lease: Lease,
  now: number,
): Promise<void> {
  const { subscriptionId, organizationId } = lease;
  log.error(
    { subscription: subscriptionId, organization: organizationId },
    "the signing secret cannot be read",
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
        INSERT INTO notices (type, body) SELECT $3, $4 FROM failing WHERE $5
      )
      SELECT id FROM failing`,
    values: [subscriptionId, unreadableReason, notice.type, notice.body, notices],
  });
  if (rows.length > 0) observer?.gateMoved("failing");
}
