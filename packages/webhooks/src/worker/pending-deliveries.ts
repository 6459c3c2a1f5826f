import { NIL } from "uuid";
import type { Body } from "../delivery/sign.ts";
import type { Statements } from "../statements.ts";

/** Pending delivery whose next attempt can be made now. */
export interface PendingDelivery {
  id: string;
  subscriptionId: string;
  eventId: string;
  eventType: string;
  /** Large bodies are in UTF-8, since many attempts share them. */
  body: Body;
  /** Size of the body, in UTF-8. */
  bytes: number;
  /** Trace context of the event; null if it is not traced. */
  traceparent: string | null;
  /** Attempts made so far. */
  attempts: number;
  /** Whether it was created after the outcome of an earlier delivery of the event. */
  redelivery: boolean;
  /** Time in PostgreSQL's format, because it is only sent back to PostgreSQL. */
  nextAt: string;
  /** The record of the event, if the subscription receives the events of each record in order; otherwise null. */
  recordKey: string | null;
}

/** Pending delivery that was found; `body` is null if it has more than `mostSmall` bytes. */
export type FoundDelivery = Omit<PendingDelivery, "body"> & { body: string | null };

/** Maximum size of a body that is read with each of its deliveries, in bytes. */
export const mostSmall = 4_096;

/** Place in the queue of a subscription. */
export type Position = Pick<PendingDelivery, "nextAt" | "id" | "recordKey">;

/** Which deliveries of a subscription to fetch. */
export interface Wanted {
  subscriptionId: string;
  count: number;
  /**
   * Whether to fetch a probe for a failing receiver. Deliveries with few attempts are preferred, because a delivery
   * with many attempts may be the cause of the failures.
   */
  probe: boolean;
  /** Only deliveries after this place; null for the beginning. */
  after: Position | null;
}

/** Columns of a `PendingDelivery` without its record. */
export const pendingColumns = `due.id, due.subscription_id AS "subscriptionId", due.event_id AS "eventId", due.attempts, due.redelivery,
  due.next_at::text AS "nextAt", events.type AS "eventType", events.traceparent,
  octet_length(events.body) AS bytes, CASE WHEN octet_length(events.body) <= ${mostSmall} THEN events.body END AS body`;

const beginning = { nextAt: "-infinity", id: NIL };

/**
 * Returns the next deliveries of several subscriptions, each up to its count, oldest first, in one statement. Returns none
 * for a subscription that the worker no longer leases.
 *
 * @param known deliveries after `after` that this worker already has
 */
export async function fetchPending(
  db: Statements,
  workerId: string,
  wanted: Wanted[],
  known: PendingDelivery[],
  now: Date,
): Promise<FoundDelivery[]> {
  if (wanted.length === 0) return [];
  const { rows } = await db.query<FoundDelivery>({
    name: "fetch-pending",
    text: `
      SELECT ${pendingColumns}, NULL AS "recordKey"
      FROM json_to_recordset($3) AS wanted (
        "subscriptionId" uuid, count int, probe bool, "afterAt" timestamptz, "afterId" uuid)
      JOIN subscription_queues queue ON queue.subscription_id = wanted."subscriptionId" AND queue.lease_worker = $1
      CROSS JOIN LATERAL (
        SELECT oldest.* FROM (
          SELECT d.* FROM deliveries d
          WHERE d.subscription_id = wanted."subscriptionId" AND d.next_at <= $2
            AND (d.next_at, d.id) > (wanted."afterAt", wanted."afterId")
            AND d.id <> ALL ($4::uuid[])
          ORDER BY d.next_at, d.id
          LIMIT CASE WHEN wanted.probe THEN 1000 ELSE wanted.count END
        ) AS oldest
        ORDER BY CASE WHEN wanted.probe THEN oldest.attempts END, oldest.next_at, oldest.id
        LIMIT wanted.count
      ) AS due
      JOIN events ON events.id = due.event_id
      ORDER BY CASE WHEN wanted.probe THEN due.attempts END, due.next_at, due.id -- A join with events may change the order.`,
    values: [
      workerId,
      now,
      JSON.stringify(
        wanted.map(({ subscriptionId, count, probe, after }) => {
          const { nextAt, id } = after ?? beginning;
          return { subscriptionId, count, probe, afterAt: nextAt, afterId: id };
        }),
      ),
      known.map(({ id }) => id),
    ],
  });
  return rows;
}
