/** Pending deliveries of subscriptions that receive the events of each record in order. */
import { NIL } from "uuid";
import type { Statements } from "../statements.ts";
import { type FoundDelivery, pendingColumns, type Wanted } from "./pending-deliveries.ts";

interface WantedRecords extends Wanted {
  /** Records that are left out, because their outcomes are not recorded yet. */
  busyRecords: string[];
}

/** Maximum number of deliveries of one record that are fetched together. */
const mostOfOneRecord = 4;

/**
 * Returns a WITH clause for a subquery, in which `first` is the first pending delivery of each record of a subscription. It skips through the index
 * from one record to the next.
 */
export function firstOfRecords(subscriptionId: string, after: string): string {
  return `WITH RECURSIVE first AS (
    (SELECT record_key, next_at, attempts FROM deliveries
     WHERE subscription_id = ${subscriptionId} AND record_key > ${after}
     ORDER BY record_key, sequence LIMIT 1)
    UNION ALL
    SELECT next.* FROM first CROSS JOIN LATERAL (
      SELECT d.record_key, d.next_at, d.attempts FROM deliveries d
      WHERE d.subscription_id = ${subscriptionId} AND d.record_key > first.record_key
      ORDER BY d.record_key, d.sequence LIMIT 1) AS next
  )`;
}

/**
 * Returns the next deliveries of several subscriptions, each for up to `count` records, in one statement. The first pending delivery of a record
 * decides whether the record is due. The records follow in the order of their IDs, beginning after the record of `after`, so that each has its turn. Returns none for a subscription that the worker no longer leases.
 */
export async function fetchOrdered(
  db: Statements,
  workerId: string,
  wanted: WantedRecords[],
  now: Date,
): Promise<FoundDelivery[]> {
  if (wanted.length === 0) return [];
  const { rows } = await db.query<FoundDelivery>({
    name: "fetch-ordered",
    text: `
      SELECT ${pendingColumns}, due.record_key AS "recordKey"
      FROM json_to_recordset($3) AS wanted (
        "subscriptionId" uuid, count int, probe bool, "afterRecord" uuid, "busyRecords" uuid[])
      JOIN subscription_queues queue ON queue.subscription_id = wanted."subscriptionId" AND queue.lease_worker = $1
      CROSS JOIN LATERAL (
        ${firstOfRecords('wanted."subscriptionId"', 'wanted."afterRecord"')}
        SELECT found.record_key FROM (
          SELECT first.* FROM first
          WHERE first.next_at <= $2 AND first.record_key <> ALL (wanted."busyRecords")
          LIMIT CASE WHEN wanted.probe THEN 1000 ELSE wanted.count END
        ) AS found
        ORDER BY CASE WHEN wanted.probe THEN found.attempts END, found.record_key
        LIMIT wanted.count
      ) AS record
      CROSS JOIN LATERAL (
        SELECT d.* FROM deliveries d
        WHERE d.subscription_id = wanted."subscriptionId" AND d.record_key = record.record_key
        ORDER BY d.sequence LIMIT CASE WHEN wanted.probe THEN 1 ELSE ${mostOfOneRecord} END
      ) AS due
      JOIN events ON events.id = due.event_id
      ORDER BY due.subscription_id, due.record_key, due.sequence`,
    values: [
      workerId,
      now,
      JSON.stringify(wanted.map(({ after, ...rest }) => ({ ...rest, afterRecord: after?.recordKey ?? NIL }))),
    ],
  });
  return rows;
}
