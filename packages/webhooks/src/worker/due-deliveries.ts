import type { Pool } from "pg";

/** A delivery that may be sent now. */
export interface DueDelivery {
  id: string;
  subscriptionId: string;
  eventId: string;
  eventType: string;
  body: string;
  /** Attempts made so far. */
  attempts: number;
  /** As PostgreSQL writes it: it is only given back. */
  nextAt: string;
}

/** A place in a subscription's queue, which is ordered by `nextAt` and then `id`. */
export type Place = Pick<DueDelivery, "nextAt" | "id">;

export interface Wanted {
  subscriptionId: string;
  count: number;
  /** Whether a failing receiver is to be tried: then a delivery with few attempts, so not the one that may be at fault. */
  probe: boolean;
  /** Only deliveries behind this place; null for the beginning. */
  after: Place | null;
}

const beginning: Place = { nextAt: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/**
 * The next deliveries of several subscriptions, each up to its count, oldest first, in one statement. There are none of a
 * subscription that the worker does not lease any more.
 *
 * @param known deliveries that this worker already holds, as far as they are not before `after`
 */
export async function fetchDue(
  db: Pool,
  workerId: string,
  wanted: Wanted[],
  known: DueDelivery[],
  now: Date,
): Promise<DueDelivery[]> {
  const { rows } = await db.query<DueDelivery>({
    name: "fetch-due",
    text: `
      SELECT due.id, due.subscription_id AS "subscriptionId", due.event_id AS "eventId", due.attempts,
             due.next_at::text AS "nextAt", events.type AS "eventType", events.body
      FROM unnest($1::uuid[], $2::int[], $5::bool[], $6::timestamptz[], $7::uuid[])
        AS wanted (subscription_id, count, probe, after_at, after_id)
      JOIN subscription_queues queue ON queue.subscription_id = wanted.subscription_id AND queue.lease_worker = $8
      CROSS JOIN LATERAL (
        SELECT oldest.* FROM (
          SELECT d.* FROM deliveries d
          WHERE d.subscription_id = wanted.subscription_id AND d.next_at <= $4 AND (d.next_at, d.id) > (wanted.after_at, wanted.after_id)
            AND d.id <> ALL ($3::uuid[])
          ORDER BY d.next_at, d.id
          LIMIT CASE WHEN wanted.probe THEN 1000 ELSE wanted.count END
        ) AS oldest
        ORDER BY CASE WHEN wanted.probe THEN oldest.attempts END, oldest.next_at, oldest.id
        LIMIT wanted.count
      ) AS due
      JOIN events ON events.id = due.event_id`,
    values: [
      wanted.map((w) => w.subscriptionId),
      wanted.map((w) => w.count),
      known.map(({ id }) => id),
      now,
      wanted.map((w) => w.probe),
      wanted.map((w) => (w.after ?? beginning).nextAt),
      wanted.map((w) => (w.after ?? beginning).id),
      workerId,
    ],
  });
  return rows;
}
