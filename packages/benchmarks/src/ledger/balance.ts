import type { Client } from "pg";
import type { PublishedList } from "../faults/publisher.ts";
import type { Arrival } from "../faults/receiver.ts";

/** What has become of every delivery that was ever written. */
export interface Ledger {
  /** Events that were recorded. */
  events: number;
  /** Deliveries that were recorded with them: to each active subscription one. */
  deliveries: number;
  delivered: number;
  due: number;
  exhausted: number;
  /** Of subscriptions that failed. */
  held: number;
  /** In none of these places. */
  lost: number;
  /** Accepted by the receiver once more than needed. */
  duplicates: number;
}

/** Keeps note of every delivery in the transaction that writes it; nothing of Parley's touches these notes. */
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
 * Balances the books of the database, the publisher and the receiver.
 *
 * @throws when they do not balance: the run is void
 */
export async function balance(client: Client, list: PublishedList, arrivals: Arrival[]): Promise<Ledger> {
  const accepted = arrivals.filter((arrival) => arrival.accepted).map(({ deliveryId }) => deliveryId);
  const { rows } = await client.query<Omit<Ledger, "duplicates"> & Faults>(books, [
    list.published.map(({ leadId }) => leadId),
    accepted,
  ]);
  const [row] = rows;
  if (!row) throw new Error("void: the books could not be read");
  const { forgotten, unrouted, bookedTwice, neverReceived, ...ledger } = row;
  const faults = { lost: ledger.lost, forgotten, unrouted, bookedTwice, neverReceived };
  if (Object.values(faults).some((count) => count > 0)) {
    throw new Error(`void: the ledger does not balance: ${JSON.stringify({ ...ledger, ...faults })}`);
  }
  return { ...ledger, duplicates: accepted.length - new Set(accepted).size };
}

interface Faults {
  /** Events whose commit the publisher was told of and that are not there. */
  forgotten: number;
  /** Pairs of an event and a subscription that never failed without a delivery. */
  unrouted: number;
  /** Deliveries that are in several places. */
  bookedTwice: number;
  /** Delivered, as the log says, and not accepted by the receiver. */
  neverReceived: number;
}

/** $1 leads of which the publisher knows that they were committed, $2 deliveries that the receiver accepted. */
const books = `
  WITH outcome AS (
    SELECT delivery_id, bool_or(outcome = 'delivered') AS delivered, bool_or(outcome = 'exhausted') AS exhausted
    FROM delivery_attempts WHERE outcome <> 'failed' GROUP BY delivery_id
  ), place AS (
    SELECT w.*, s.status, d.id IS NOT NULL AS open, coalesce(o.delivered, false) AS delivered,
           coalesce(o.exhausted, false) AS exhausted
    FROM written w JOIN subscriptions s ON s.id = w.subscription_id
    LEFT JOIN deliveries d ON d.id = w.delivery_id LEFT JOIN outcome o ON o.delivery_id = w.delivery_id
  ), lead AS (
    SELECT body::jsonb #>> '{data,id}' AS id FROM events
  )
  SELECT (SELECT count(*) FROM events)::int AS events,
         count(*)::int AS deliveries,
         count(*) FILTER (WHERE delivered AND NOT open)::int AS delivered,
         count(*) FILTER (WHERE open AND status = 'active')::int AS due,
         count(*) FILTER (WHERE exhausted AND NOT open)::int AS exhausted,
         count(*) FILTER (WHERE open AND status = 'failed')::int AS held,
         count(*) FILTER (WHERE NOT (open OR delivered OR exhausted))::int AS lost,
         count(*) FILTER (WHERE open::int + delivered::int + exhausted::int > 1)::int AS "bookedTwice",
         count(*) FILTER (WHERE delivered AND delivery_id NOT IN (SELECT unnest($2::uuid[])))::int AS "neverReceived",
         (SELECT count(*) FROM unnest($1::text[]) AS id WHERE id NOT IN (SELECT id FROM lead))::int AS forgotten,
         (SELECT count(*) FROM events e JOIN subscriptions s USING (organization_id)
          WHERE s.status = 'active' AND NOT EXISTS (
            SELECT 1 FROM written w WHERE w.event_id = e.id AND w.subscription_id = s.id))::int AS unrouted
  FROM place`;
