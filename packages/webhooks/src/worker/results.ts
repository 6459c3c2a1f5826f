import { countResults } from "../log/count-results.ts";
import { bucketOf } from "../log/duration-buckets.ts";
import type { Notice } from "../notices/notice.ts";
import type { Statements } from "../statements.ts";
import type { Lease } from "./leases.ts";
import type { Outcome } from "./options.ts";
import type { PendingDelivery } from "./pending-deliveries.ts";

/** Attempt for the delivery log. */
export interface AttemptRecord {
  delivery: PendingDelivery;
  lease: Lease;
  outcome: Outcome;
  /** ms since 1970, like `nextAt`. */
  attemptedAt: number;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string | null;
  /** Version of the subscription whose values the request had, and text of `storedExchange`; undefined if nothing was sent. */
  version: number | undefined;
  exchange: string | undefined;
  /** Time of the next attempt of a failed delivery. */
  nextAt: number;
}

/** The state of a subscription's circuit breaker after a change. */
export interface CircuitRecord {
  subscriptionId: string;
  /** URL that the attempts were sent to. */
  targetUrl: string;
  /** Consecutive failures before the change. */
  failuresBefore: number;
  failureCount: number;
  status: "active" | "failed";
  openUntil: Date | null;
  /** Reason of the last attempt's failure; null after a success. */
  reason: string | null;
  /** Notices to the operator. */
  notices: Notice[];
}

/** The subscriptions of a batch. */
export interface Recorded {
  /** Still leased by this worker. */
  leased: Set<string>;
  /** Leased, but locked by another transaction: record their results again. */
  locked: string[];
}

/**
 * Records a batch of results in one statement. Deletes delivered and exhausted deliveries from the table `deliveries`,
 * schedules failed deliveries, logs and counts every attempt, updates circuit breakers and writes notices. Ignores results of
 * subscriptions that this worker no longer leases. Results that are already recorded change nothing, so a batch can be
 * written again if the connection was lost after the commit. Does not wait for a subscription that another transaction has locked: its results
 * are not recorded.
 */
export async function recordResults(
  db: Statements,
  workerId: string,
  attempts: AttemptRecord[],
  circuits: CircuitRecord[],
): Promise<Recorded> {
  const exchanges = new Map<string, number>();
  const inputs = attempts.map((attempt) => attemptInput(attempt, exchanges));
  const { rows } = await db.query<{ id: string; held: boolean }>({
    name: "record-results",
    text: `
      WITH input AS MATERIALIZED (
        SELECT * FROM json_to_recordset($2) AS input (
          "subscriptionId" uuid, "deliveryId" uuid, "eventType" text, attempt int, outcome text, "attemptedAt" float8,
          "durationMs" int, bucket int, "statusCode" int, error text, "responseBody" text, version int, exchange int, "nextAt" float8)
      ), circuit AS MATERIALIZED (
        SELECT * FROM json_to_recordset($3) AS circuit (
          "subscriptionId" uuid, "targetUrl" text, "failuresBefore" int, "failureCount" int, status text,
          "openUntil" timestamptz, reason text, notices json)
      ), changing AS (
        SELECT s.id FROM subscriptions s WHERE s.id IN (SELECT "subscriptionId" FROM circuit)
        FOR NO KEY UPDATE SKIP LOCKED
      ), held AS (
        SELECT subscription_id FROM subscription_queues
        WHERE lease_worker = $1 AND subscription_id = ANY ($4::uuid[])
          AND (subscription_id NOT IN (SELECT "subscriptionId" FROM circuit) OR subscription_id IN (SELECT id FROM changing))
        FOR UPDATE SKIP LOCKED
      ), result AS (
        SELECT d.subscription_id, d.organization_id, d.id AS delivery_id, d.event_id, d.redelivery, input."eventType" AS event_type,
               input.attempt, input.outcome, to_timestamp(input."attemptedAt" / 1000) AS attempted_at,
               input."durationMs" AS duration_ms, input.bucket, input."statusCode" AS status_code, input.error,
               input."responseBody" AS response_body, input.version,
               ($5::text[])[input.exchange] AS exchange, to_timestamp(input."nextAt" / 1000) AS next_at
        FROM input JOIN held ON held.subscription_id = input."subscriptionId"
        JOIN deliveries d ON d.id = input."deliveryId" AND d.attempts = input.attempt - 1
      ), finished AS (
        DELETE FROM deliveries d USING result r WHERE d.id = r.delivery_id AND r.outcome <> 'failed'
      ), postponed AS (
        UPDATE deliveries d SET attempts = r.attempt, next_at = r.next_at
        FROM result r WHERE d.id = r.delivery_id AND r.outcome = 'failed'
      ), changed AS (
        -- Skips subscriptions that were resumed or got another URL in the meantime: these attempts belong to the previous state.
        UPDATE subscriptions s
        SET failure_count = circuit."failureCount", status = circuit.status, failure_reason = circuit.reason,
            failed_at = CASE WHEN circuit.status = 'failed' THEN now() END,
            -- A delivery that succeeds ends a gap that is not filled.
            gap_from = CASE WHEN circuit.reason IS NOT NULL OR s.filling_gap OR NOT s.enabled THEN s.gap_from END,
            updated_at = now()
        FROM circuit JOIN held ON held.subscription_id = circuit."subscriptionId"
        WHERE s.id = circuit."subscriptionId" AND s.status = 'active' AND s.target_url = circuit."targetUrl"
          AND s.failure_count = circuit."failuresBefore" AND s.id IN (SELECT subscription_id FROM result)
        RETURNING s.id AS subscription_id, circuit."openUntil" AS open_until
      ), latest AS (
        SELECT subscription_id, max(attempted_at) FILTER (WHERE outcome = 'delivered') AS delivered_at
        FROM result GROUP BY subscription_id
      ), queue AS (
        -- At most once a second, because an update with every batch is expensive.
        UPDATE subscription_queues q
        SET circuit_open_until = CASE WHEN changed.subscription_id IS NULL THEN q.circuit_open_until ELSE changed.open_until END,
            last_delivery_at = greatest(q.last_delivery_at, latest.delivered_at)
        FROM latest LEFT JOIN changed USING (subscription_id)
        WHERE q.subscription_id = latest.subscription_id
          AND (changed.subscription_id IS NOT NULL
               OR latest.delivered_at >= coalesce(q.last_delivery_at + interval '1 second', '-infinity'))
      ), notice AS (
        INSERT INTO notices (type, body)
        SELECT notice.type, notice.body
        FROM circuit JOIN changed ON changed.subscription_id = circuit."subscriptionId",
             json_to_recordset(circuit.notices) AS notice (type text, body text)
      ), logged AS (
        INSERT INTO delivery_attempts (subscription_id, organization_id, delivery_id, event_id, event_type, redelivery,
                                       attempt, outcome, attempted_at, duration_ms, status_code, error, response_body, version, exchange)
        SELECT subscription_id, organization_id, delivery_id, event_id, event_type, redelivery, attempt, outcome, attempted_at,
                duration_ms, status_code, error, response_body, version, exchange
        FROM result
      ), ${countResults}
      SELECT subscription_id AS id, subscription_id IN (SELECT subscription_id FROM held) AS held
      FROM subscription_queues WHERE lease_worker = $1 AND subscription_id = ANY ($4::uuid[])`,
    values: [
      workerId,
      JSON.stringify(inputs),
      JSON.stringify(circuits),
      [...new Set([...attempts, ...circuits].map((record) => subscriptionOf(record)))],
      [...exchanges.keys()],
    ],
  });
  return {
    leased: new Set(rows.map(({ id }) => id)),
    locked: rows.flatMap(({ id, held }) => (held ? [] : [id])),
  };
}

/**
 * Returns what PostgreSQL does not know of an attempt. Values that are undefined are left out.
 *
 * @param exchanges numbers of the texts so far, from 1. Many attempts of a batch have equal texts, which are sent once
 */
function attemptInput(result: AttemptRecord, exchanges: Map<string, number>): object {
  const { delivery, lease, exchange, outcome } = result;
  let number = exchange === undefined ? undefined : exchanges.get(exchange);
  if (exchange !== undefined && number === undefined) {
    number = exchanges.size + 1;
    exchanges.set(exchange, number);
  }
  return {
    subscriptionId: lease.subscriptionId,
    deliveryId: delivery.id,
    eventType: delivery.eventType,
    attempt: delivery.attempts + 1,
    outcome,
    attemptedAt: result.attemptedAt,
    durationMs: result.durationMs,
    bucket: result.statusCode === null ? undefined : bucketOf(result.durationMs),
    statusCode: result.statusCode ?? undefined,
    error: result.error ?? undefined,
    responseBody: result.responseBody ?? undefined,
    version: result.version,
    exchange: number,
    nextAt: outcome === "failed" ? result.nextAt : undefined,
  };
}

function subscriptionOf(record: AttemptRecord | CircuitRecord): string {
  return "lease" in record ? record.lease.subscriptionId : record.subscriptionId;
}
