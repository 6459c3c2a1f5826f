import type { Client } from "pg";
import type { PublishedList } from "../harness/publisher.ts";
import type { Arrival } from "../harness/receiver.ts";

/** The state of every delivery that was ever written. */
export interface Ledger {
  events: number;
  /** Deliveries of these events: one to each active subscription. */
  deliveries: number;
  delivered: number;
  pending: number;
  exhausted: number;
  /** Pending deliveries of failed subscriptions. */
  kept: number;
  /** In none of these states. */
  lost: number;
  /** Arrivals at subscriptions that receive the events of each record in order. */
  ordered: number;
  /** Accepted by the receiver once more than needed. */
  duplicates: number;
}

/** Keeps a record of every delivery in the transaction that writes it. Parley's code does not touch it. */
export async function installLedger(client: Client): Promise<void> {
  await client.query(`
    CREATE TABLE written (delivery_id uuid PRIMARY KEY, subscription_id uuid NOT NULL, event_id uuid NOT NULL);
    CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.written SELECT id, subscription_id, event_id FROM new_deliveries;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_written AFTER INSERT ON deliveries REFERENCING NEW TABLE AS new_deliveries
      FOR EACH STATEMENT EXECUTE FUNCTION note_written()`);
}

/**
 * Balances the records of the database, the publisher and the receiver.
 *
 * @throws when they do not balance: the run is void
 */
export async function balance(client: Client, list: PublishedList, arrivals: Arrival[]): Promise<Ledger> {
  const accepted = arrivals.filter((arrival) => arrival.accepted).map(({ deliveryId }) => deliveryId);
  const ordered = arrivals.filter(({ path }) => path.endsWith("/ordered"));
  // A round with a long redelivery has hundreds of thousands of deliveries, which are compared in memory.
  await client.query("SET work_mem = '512MB'");
  await client.query("ANALYZE written, events, deliveries, delivery_attempts, subscriptions");
  const { rows } = await client.query<Omit<Ledger, "duplicates"> & Contradictions>(statement, [
    list.published.map(({ recordId }) => recordId),
    accepted,
    ordered.map(({ deliveryId }) => deliveryId),
  ]);
  const [row] = rows;
  if (!row) throw new Error("void: the ledger could not be read");
  const { missingEvents, unrouted, ambiguous, neverReceived, outOfOrder, ...ledger } = row;
  const wrong = { lost: ledger.lost, missingEvents, unrouted, ambiguous, neverReceived, outOfOrder };
  if (Object.values(wrong).some((count) => count > 0)) {
    throw new Error(`void: the ledger does not balance: ${JSON.stringify({ ...ledger, ...wrong })}`);
  }
  return { ...ledger, duplicates: accepted.length - new Set(accepted).size };
}

interface Contradictions {
  /** Events that are not in the database, though the publisher learned of their commit. */
  missingEvents: number;
  /** Pairs of an event and a subscription that never failed without a delivery. */
  unrouted: number;
  /** Deliveries in several states. */
  ambiguous: number;
  /** Deliveries that the log has as delivered, and that the receiver did not accept. */
  neverReceived: number;
  /** Arrivals after a later event of the record, at subscriptions that receive them in order. */
  outOfOrder: number;
}

/**
 * $1 records of events whose commit the publisher knows, $2 deliveries that the receiver accepted, $3 deliveries of subscriptions with an
 * order, as they arrived.
 */
const statement = `
  WITH outcome AS (
    SELECT delivery_id, bool_or(outcome = 'delivered') AS delivered, bool_or(outcome = 'exhausted') AS exhausted
    FROM delivery_attempts WHERE outcome <> 'failed' GROUP BY delivery_id
  ), state AS (
    SELECT w.*, s.status, d.id IS NOT NULL AS open, coalesce(o.delivered, false) AS delivered,
           coalesce(o.exhausted, false) AS exhausted
    FROM written w JOIN subscriptions s ON s.id = w.subscription_id
    LEFT JOIN deliveries d ON d.id = w.delivery_id LEFT JOIN outcome o ON o.delivery_id = w.delivery_id
  ), record AS (
    SELECT body::jsonb #>> '{data,id}' AS id FROM events
  ), arrival AS (
    SELECT e.sequence, max(e.sequence) OVER (
             PARTITION BY w.subscription_id, e.record_id
             ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest
    FROM unnest($3::uuid[]) WITH ORDINALITY AS arrived (delivery_id, place)
    JOIN written w USING (delivery_id) JOIN events e ON e.id = w.event_id
  )
  SELECT (SELECT count(*) FROM events)::int AS events,
         count(*)::int AS deliveries,
         count(*) FILTER (WHERE delivered AND NOT open)::int AS delivered,
         count(*) FILTER (WHERE open AND status = 'active')::int AS pending,
         count(*) FILTER (WHERE exhausted AND NOT open)::int AS exhausted,
         count(*) FILTER (WHERE open AND status = 'failed')::int AS kept,
         count(*) FILTER (WHERE NOT (open OR delivered OR exhausted))::int AS lost,
         count(*) FILTER (WHERE open::int + delivered::int + exhausted::int > 1)::int AS ambiguous,
         count(*) FILTER (WHERE delivered AND delivery_id NOT IN (SELECT unnest($2::uuid[])))::int AS "neverReceived",
         (SELECT count(*) FROM unnest($1::text[]) AS id WHERE id NOT IN (SELECT id FROM record))::int AS "missingEvents",
         (SELECT count(*) FROM arrival)::int AS ordered,
         (SELECT count(*) FROM arrival WHERE sequence < latest)::int AS "outOfOrder",
         (SELECT count(*) FROM events e JOIN subscriptions s USING (organization_id)
          WHERE s.status = 'active' AND NOT EXISTS (
            SELECT 1 FROM written w WHERE w.event_id = e.id AND w.subscription_id = s.id))::int AS unrouted
  FROM state`;
