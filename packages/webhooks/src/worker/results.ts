import type { Pool } from "pg";
import type { Notice } from "../notices/notice.ts";
import type { DueDelivery } from "./due-deliveries.ts";
import type { Lease } from "./leases.ts";

export type Outcome = "delivered" | "failed" | "exhausted";

/** One attempt, as it is written into the log. */
export interface AttemptRecord {
  delivery: DueDelivery;
  lease: Lease;
  outcome: Outcome;
  /** ms since 1970, as `nextAt`. */
  attemptedAt: number;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
  /** When a failed one may be tried again. */
  nextAt: number;
}

/** The state of a subscription's gate after a change. */
export interface GateRecord {
  subscriptionId: string;
  /** Where the attempts went. */
  targetUrl: string;
  /** Consecutive failures before the change. */
  failuresBefore: number;
  failureCount: number;
  status: "active" | "failed";
  gateUntil: Date | null;
  /** Why the latest attempt failed; null after a success. */
  reason: string | null;
  /** What the operator is told. */
  notices: Notice[];
}

/**
 * Writes a batch in one statement: what is final leaves the hot table, what failed gets its next time, every attempt is
 * logged, gates move, notices are written. Rows of subscriptions that this worker does not lease any more are left out:
 * whoever took them over decides. What was recorded before changes nothing, so that a batch may be written again when its
 * answer was lost.
 *
 * @returns the subscriptions of the batch that this worker still leases
 */
export async function recordResults(
  db: Pool,
  workerId: string,
  attempts: AttemptRecord[],
  gates: GateRecord[],
): Promise<Set<string>> {
  const notices = gates.flatMap((g) => g.notices.map((n) => ({ ...n, subscriptionId: g.subscriptionId })));
  const { rows } = await db.query<{ id: string }>({
    name: "record-results",
    text: `
      WITH held AS (
        SELECT subscription_id FROM subscription_queues
        WHERE lease_worker = $1 AND subscription_id = ANY ($2::uuid[] || $13::uuid[])
        FOR UPDATE
      ), result AS (
        SELECT r.subscription_id, d.organization_id, r.delivery_id, d.event_id, r.event_type, r.attempt, r.outcome,
               to_timestamp(r.attempted_at / 1000) AS attempted_at, r.duration_ms, r.status_code, r.error, r.response_body,
               to_timestamp(r.next_at / 1000) AS next_at
        FROM unnest(
          $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::float8[], $8::int[], $9::int[], $10::text[],
          $11::text[], $12::float8[]
        ) AS r (subscription_id, delivery_id, event_type, attempt, outcome, attempted_at, duration_ms, status_code, error,
                response_body, next_at)
        JOIN held USING (subscription_id)
        JOIN deliveries d ON d.id = r.delivery_id AND d.attempts = r.attempt - 1
      ), finished AS (
        DELETE FROM deliveries d USING result r WHERE d.id = r.delivery_id AND r.outcome <> 'failed'
      ), postponed AS (
        UPDATE deliveries d SET attempts = r.attempt, next_at = r.next_at
        FROM result r WHERE d.id = r.delivery_id AND r.outcome = 'failed'
      ), moved AS (
        -- One that was resumed or led elsewhere meanwhile is left as it is: what was on its way belongs to what was before.
        UPDATE subscriptions s
        SET failure_count = gate.failure_count, status = gate.status, failure_reason = gate.reason,
            failed_at = CASE WHEN gate.status = 'failed' THEN now() END,
            gap_from = CASE WHEN gate.status = 'failed' THEN coalesce(s.gap_from, now())
                            WHEN gate.reason IS NOT NULL THEN s.gap_from END,
            updated_at = now()
        FROM unnest($13::uuid[], $14::text[], $15::int[], $16::int[], $17::text[], $18::timestamptz[], $19::text[])
          AS gate (subscription_id, target_url, failures_before, failure_count, status, gate_until, reason)
        JOIN held USING (subscription_id)
        WHERE s.id = gate.subscription_id AND s.status = 'active' AND s.target_url = gate.target_url
          AND s.failure_count = gate.failures_before AND s.id IN (SELECT subscription_id FROM result)
        RETURNING gate.subscription_id, gate.gate_until
      ), latest AS (
        SELECT subscription_id, max(attempted_at) FILTER (WHERE outcome = 'delivered') AS delivered_at
        FROM result GROUP BY subscription_id
      ), queue AS (
        -- At most once a second: a row that is written with every batch would cost more than it tells.
        UPDATE subscription_queues q
        SET gate_until = CASE WHEN moved.subscription_id IS NULL THEN q.gate_until ELSE moved.gate_until END,
            last_delivery_at = greatest(q.last_delivery_at, latest.delivered_at)
        FROM latest LEFT JOIN moved USING (subscription_id)
        WHERE q.subscription_id = latest.subscription_id
          AND (moved.subscription_id IS NOT NULL
               OR latest.delivered_at >= coalesce(q.last_delivery_at + interval '1 second', '-infinity'))
      ), notice AS (
        INSERT INTO notices (type, body)
        SELECT type, body FROM unnest($20::uuid[], $21::text[], $22::text[]) AS notice (subscription_id, type, body)
        JOIN moved USING (subscription_id)
      ), logged AS (
        INSERT INTO delivery_attempts (subscription_id, organization_id, delivery_id, event_id, event_type, attempt, outcome,
                                       attempted_at, duration_ms, status_code, error, response_body)
        SELECT subscription_id, organization_id, delivery_id, event_id, event_type, attempt, outcome,
               attempted_at, duration_ms, status_code, error, response_body
        FROM result
      )
      SELECT subscription_id AS id FROM held`,
    values: [
      workerId,
      list(attempts.map((a) => a.lease.subscriptionId)),
      list(attempts.map((a) => a.delivery.id)),
      attempts.map((a) => a.delivery.eventType),
      list(attempts.map((a) => a.delivery.attempts + 1)),
      list(attempts.map((a) => a.outcome)),
      list(attempts.map((a) => a.attemptedAt)),
      list(attempts.map((a) => a.durationMs)),
      list(attempts.map((a) => a.statusCode)),
      attempts.map((a) => a.error),
      attempts.map((a) => a.responseBody),
      list(attempts.map((a) => a.nextAt)),
      gates.map((g) => g.subscriptionId),
      gates.map((g) => g.targetUrl),
      gates.map((g) => g.failuresBefore),
      gates.map((g) => g.failureCount),
      gates.map((g) => g.status),
      gates.map((g) => g.gateUntil),
      gates.map((g) => g.reason),
      notices.map((n) => n.subscriptionId),
      notices.map((n) => n.type),
      notices.map((n) => n.body),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** An array as PostgreSQL writes it, of values that need no quotes: `pg` looks into each one for what to escape. */
function list(values: (string | number | null)[]): string {
  return `{${values.map((value) => value ?? "NULL").join()}}`;
}
