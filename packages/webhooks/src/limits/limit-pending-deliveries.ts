import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "../logger.ts";
import { noticeOf } from "../notices/notice.ts";
import { channel, type Notification } from "../notifications.ts";
import type { DeliveryObserver } from "../worker/options.ts";
import { mostRows } from "./most-rows.ts";

interface PendingLimit {
  db: Pool;
  /** Maximum number of pending deliveries of an organization; 0 for no limit. */
  maxPending: number;
  /** Whether to write a notice to the operator when a subscription fails. */
  notices: boolean;
  log: Logger;
  observer?: Partial<DeliveryObserver> | undefined;
  /** Longest time to wait until a worker has recorded its attempts in flight, in milliseconds. Default: 15,000. */
  longestWaitMs?: number;
}

/** A subscription of an organization with too many pending deliveries. */
interface Candidate {
  id: string;
  organizationId: string;
  targetUrl: string;
  status: "active" | "failed";
  failureCount: number;
  reason: string | null;
  /** Number of pending deliveries without redeliveries, at most one more than the maximum. */
  pending: number;
}

/** A subscription that fails counts as if it had this many times its pending deliveries. */
const weightOfFailing = 10;
const checkLeaseEveryMs = 100;
const batch = 1_000;
/** Minimum size of a delivery with its place in the page, in bytes. */
const smallestDelivery = 116;
const reasonBegin = "the organization had more than";

/**
 * Limits the pending deliveries of each organization, without redeliveries, which requests limit. If an organization exceeds the maximum, the
 * subscription with the most pending deliveries becomes `failed`, and its pending deliveries become skipped events of its gap. This repeats until the organization is below the maximum. Interrupted runs are continued by the next one.
 */
export async function limitPendingDeliveries(limit: PendingLimit): Promise<void> {
  if (
    limit.maxPending === 0 ||
    (await mostRows(limit.db, "deliveries", smallestDelivery)) <= limit.maxPending
  )
    return;
  for (const organizationId of await findExceeding(limit)) await limitOrganization(limit, organizationId);
}

/** Counts the pending deliveries of the subscription `s` without redeliveries, at most $1. */
const countedPending = `
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS pending FROM (
      SELECT FROM deliveries d WHERE d.subscription_id = s.id AND NOT d.redelivery LIMIT $1) AS first_ones) AS counted`;

async function findExceeding({ db, maxPending }: PendingLimit): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT s.organization_id AS id FROM subscriptions s ${countedPending} GROUP BY 1 HAVING sum(pending) >= $1`,
    [maxPending + 1],
  );
  return rows.map(({ id }) => id);
}

async function limitOrganization(limit: PendingLimit, organizationId: string): Promise<void> {
  const { maxPending, log } = limit;
  for (;;) {
    const candidates = await readCandidates(limit, organizationId);
    const worst = worstOf(candidates);
    if (!worst || sumOf(candidates) <= maxPending) return;
    await fail(limit, worst);
    if (!(await becomesFree(limit, worst.id))) {
      log.warn({ subscription: worst.id }, "pending deliveries not removed yet: a worker has the lease");
      return;
    }
    const removed = await skipPending(limit, worst.id);
    if (removed === 0) return; // It was resumed or leased in the meantime.
    log.warn(
      { organization: organizationId, subscription: worst.id, removed },
      "pending deliveries removed: the organization exceeded the limit",
    );
  }
}

function sumOf(candidates: Candidate[]): number {
  return candidates.reduce((sum, { pending }) => sum + pending, 0);
}

async function readCandidates(
  { db, maxPending }: PendingLimit,
  organizationId: string,
): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>(
    `SELECT s.id, s.organization_id AS "organizationId", s.target_url AS "targetUrl", s.status, s.failure_count AS "failureCount",
            s.failure_reason AS reason, counted.pending
     FROM subscriptions s ${countedPending} WHERE s.organization_id = $2 AND counted.pending > 0`,
    [maxPending + 1, organizationId],
  );
  return rows;
}

/**
 * Returns the subscription that fails first: first that of an interrupted run, then the one with the most pending deliveries. Those of a
 * failing subscription count ten times.
 */
function worstOf(candidates: Candidate[]): Candidate | undefined {
  const rank = (candidate: Candidate) => {
    if (isLimited(candidate)) return Number.POSITIVE_INFINITY;
    const isFailing = candidate.status === "failed" || candidate.failureCount > 0;
    return candidate.pending * (isFailing ? weightOfFailing : 1);
  };
  return candidates.toSorted((a, b) => rank(b) - rank(a) || (a.id < b.id ? -1 : 1))[0];
}

/** Whether the subscription is failed because of the limit. */
function isLimited({ status, reason }: Candidate): boolean {
  return status === "failed" && reason !== null && reason.startsWith(reasonBegin);
}

/** Sets the subscription's status to `failed`, and notifies workers and the operator. */
async function fail(
  { db, maxPending, notices, observer }: PendingLimit,
  candidate: Candidate,
): Promise<void> {
  if (isLimited(candidate)) return;
  const { id, failureCount } = candidate;
  const reason = reasonOf(maxPending, candidate);
  const changed: Notification = { kind: "changed", subscription: id };
  const notice = noticeOf("failed", { subscriptionId: id, ...candidate }, failureCount, reason, Date.now());
  const { rowCount } = await db.query(
    `WITH queue AS MATERIALIZED (
       -- Locked first, as workers do.
       SELECT subscription_id FROM subscription_queues WHERE subscription_id = $1 FOR UPDATE
     ), failed AS (
       UPDATE subscriptions s SET status = 'failed', failure_reason = $2, failed_at = coalesce(failed_at, now()), updated_at = now()
       FROM queue WHERE s.id = queue.subscription_id
       RETURNING s.id
     ), notice AS (
       INSERT INTO notices (type, body)
       SELECT notice.type, notice.body FROM failed, json_to_recordset($3) AS notice (type text, body text)
     )
     SELECT pg_notify($4, $5) FROM failed`,
    [id, reason, JSON.stringify(notices ? [notice] : []), channel, JSON.stringify(changed)],
  );
  if (rowCount !== 0) observer?.subscriptionChanged?.("failed");
}

function reasonOf(maxPending: number, { reason }: Candidate): string {
  const removed = `${reasonBegin} ${maxPending.toLocaleString("en")} pending deliveries, so those of this subscription were removed; resume it with fill_gap to send them`;
  return reason === null || reason.startsWith(reasonBegin)
    ? removed
    : `${removed} (failure before: ${reason})`;
}

/** Waits until no worker leases the subscription, so that the results of its attempts in flight are recorded, or until it was resumed. */
async function becomesFree(
  { db, longestWaitMs = 15_000 }: PendingLimit,
  subscriptionId: string,
): Promise<boolean> {
  const until = performance.now() + longestWaitMs;
  for (;;) {
    const { rows } = await db.query(
      `SELECT FROM subscription_queues q JOIN subscriptions s ON s.id = q.subscription_id
       WHERE s.id = $1 AND s.status = 'failed' AND q.lease_worker IS NOT NULL`,
      [subscriptionId],
    );
    if (rows.length === 0) return true;
    if (performance.now() > until) return false;
    await delay(checkLeaseEveryMs);
  }
}

/** Moves the pending deliveries of a subscription, without redeliveries, to the skipped events of its gap. @returns number of deliveries */
async function skipPending({ db, observer }: PendingLimit, subscriptionId: string): Promise<number> {
  let skipped = 0;
  for (;;) {
    const count = await skipBatch(db, subscriptionId);
    if (count === 0) return skipped;
    observer?.pendingRemoved?.(count);
    skipped += count;
  }
}

async function skipBatch(db: Pool, subscriptionId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: "skip-pending-deliveries",
    text: `
      WITH queue AS MATERIALIZED (
        SELECT subscription_id FROM subscription_queues WHERE subscription_id = $1 AND lease_worker IS NULL FOR UPDATE
      ), subscription AS MATERIALIZED (
        SELECT s.id, s.gap_from FROM subscriptions s JOIN queue ON queue.subscription_id = s.id
        WHERE s.status = 'failed' FOR NO KEY UPDATE OF s
      ), removed AS (
        DELETE FROM deliveries WHERE id = ANY (ARRAY(
          SELECT d.id FROM subscription JOIN deliveries d ON d.subscription_id = subscription.id
          WHERE NOT d.redelivery ORDER BY d.id LIMIT ${batch}))
        RETURNING event_id
      ), skipped AS (
        INSERT INTO skipped_events (subscription_id, gap_from, sequence, event_id)
        SELECT subscription.id, subscription.gap_from, e.sequence, e.id
        FROM subscription, removed JOIN events e ON e.id = removed.event_id
        ON CONFLICT DO NOTHING
      )
      SELECT count(*)::int AS count FROM removed`,
    values: [subscriptionId],
  });
  return rows[0]?.count ?? 0;
}
