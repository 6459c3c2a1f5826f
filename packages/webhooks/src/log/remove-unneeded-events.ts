import type { Pool } from "pg";

interface Removed<Row> {
  removed: number;
  /** Last event of the batch; undefined if there was none. */
  last: Row | undefined;
}

/** Condition: the event `e` has no pending delivery. */
export const isUnneeded = "NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id)";

/**
 * Removes the events of a batch that still have no pending deliveries, in two statements. Redelivery locks an event before it creates a delivery.
 * Therefore events that are locked here get no new delivery, and the second statement sees the deliveries that were created before.
 *
 * @param select selects the IDs of the batch in order, without events with pending deliveries, and locks them
 */
export async function removeUnneeded<Row extends { id: string }>(
  db: Pool,
  select: { text: string; values: unknown[] },
): Promise<Removed<Row>> {
  const client = await db.connect();
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<Row>(select);
    const { rowCount } = await client.query(
      `DELETE FROM events e
       WHERE e.id = ANY ($1::uuid[]) AND ${isUnneeded}`,
      [rows.map(({ id }) => id)],
    );
    await client.query("COMMIT");
    client.release();
    return { removed: rowCount ?? 0, last: rows.at(-1) };
  } catch (error) {
    client.release(true); // Closing the connection rolls back the transaction.
    throw error;
  }
}
