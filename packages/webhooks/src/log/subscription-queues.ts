import { type Database, literal, Prisma } from "@parley/database";
import { mostPendingCounted } from "./redeliver.ts";

/** Attempt without its request and response. */
export interface LastAttempt {
  attemptedAt: Date;
  outcome: "delivered" | "failed" | "exhausted";
  /** Null without a response. */
  statusCode: number | null;
  error: string | null;
  durationMs: number;
}

/** Pending deliveries of a subscription, and its last ones. */
export interface SubscriptionQueueState {
  subscriptionId: string;
  /** Number of pending deliveries, at most `mostPendingCounted`. */
  pending: number;
  /** Creation of the oldest pending delivery; null if none is pending. */
  oldestPendingAt: Date | null;
  /** Time of the next attempt, which may have passed; null if none is pending, or the subscription is failed or disabled. */
  nextAttemptAt: Date | null;
  /** End of the backoff, which may have passed; null without one. */
  circuitOpenUntil: Date | null;
  /** Time of the last delivered attempt, with a resolution of one second. */
  lastDeliveryAt: Date | null;
  /** Last attempt in the log that is not a test; null if there is none. */
  lastAttempt: LastAttempt | null;
}

type Row = Omit<SubscriptionQueueState, "lastAttempt"> & {
  [Column in keyof LastAttempt]: LastAttempt[Column] | null;
};

/** Returns the queues of an organization's subscriptions, in the order of their creation. */
export async function subscriptionQueues(
  db: Pick<Database, "select">,
  organizationId: string,
): Promise<SubscriptionQueueState[]> {
  const rows = await db.select<Row>(Prisma.sql`
    SELECT s.id AS "subscriptionId", counted.pending, uuid_extract_timestamp(oldest.id) AS "oldestPendingAt",
           CASE WHEN s.status = 'active' AND s.enabled THEN
             CASE WHEN next.next_at IS NOT NULL THEN greatest(next.next_at, q.circuit_open_until) END END AS "nextAttemptAt",
           q.circuit_open_until AS "circuitOpenUntil", q.last_delivery_at AS "lastDeliveryAt",
           last.attempted_at AS "attemptedAt", last.outcome, last.status_code AS "statusCode", last.error, last.duration_ms AS "durationMs"
    FROM subscriptions s
    JOIN subscription_queues q ON q.subscription_id = s.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS pending FROM (
        SELECT 1 FROM deliveries d WHERE d.subscription_id = s.id LIMIT ${literal(mostPendingCounted)}) AS counted_ones
    ) AS counted
    LEFT JOIN LATERAL (
      SELECT d.id FROM deliveries d WHERE d.subscription_id = s.id ORDER BY d.id LIMIT 1
    ) AS oldest ON true
    LEFT JOIN LATERAL (
      SELECT d.next_at FROM deliveries d WHERE d.subscription_id = s.id ORDER BY d.next_at LIMIT 1
    ) AS next ON true
    -- The hour of the last attempt, so that one partition is read.
    LEFT JOIN LATERAL (
      SELECT c.hour FROM delivery_counts c WHERE c.subscription_id = s.id ORDER BY c.hour DESC LIMIT 1
    ) AS latest ON true
    LEFT JOIN LATERAL (
      SELECT a.* FROM delivery_attempts a
      WHERE a.subscription_id = s.id AND a.attempted_at >= latest.hour AND a.attempted_at < latest.hour + interval '1 hour' AND NOT a.test
      ORDER BY a.attempted_at DESC LIMIT 1
    ) AS last ON true
    WHERE s.organization_id = ${organizationId}::uuid
    ORDER BY s.created_at, s.id`);
  return rows.map(({ attemptedAt, outcome, statusCode, error, durationMs, ...queue }) => ({
    ...queue,
    lastAttempt:
      attemptedAt === null || outcome === null || durationMs === null
        ? null
        : { attemptedAt, outcome, statusCode, error, durationMs },
  }));
}
