import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { NIL } from "uuid";
import type { OpenErasure } from "./erasure.ts";
import { containsAny, searchFor } from "./texts.ts";
import { addToReport, inTransaction, keepIds } from "./transaction.ts";

/** Events in one transaction. */
const batch = 200;
/** Events that one statement reads. */
const page = 2_000;
const retryEveryMs = 100;
const longestRetryMs = 60_000;

/** Removes the events of removed records. @returns number of removed events */
export async function removeEventsOfRecords(db: Pool, erasure: OpenErasure): Promise<number> {
  let total = 0;
  for (;;) {
    const { rows } = await db.query<{ id: string }>(
      `SELECT e.id FROM erased_ids r JOIN events e ON e.organization_id = $1 AND e.record_id = r.id
       WHERE r.erasure_id = $2 AND NOT r.is_event LIMIT $3`,
      [erasure.organizationId, erasure.id, batch],
    );
    const removed = await removeEvents(
      db,
      erasure,
      rows.map(({ id }) => id),
    );
    total += removed;
    if (removed === 0) return total;
  }
}

interface ScannedEvent {
  id: string;
  createdAt: Date;
  recordId: string | null;
  /** Body; null if it does not contain a searched text. */
  body: string | null;
}

/**
 * Removes all events of the organization whose body contains a searched email. If the event is about a person's record that was deleted
 * earlier, the next pass removes the other events of this record.
 *
 * @param since creation of the events; null for all
 * @returns number of removed events
 */
export async function removeEventsWithEmail(
  db: Pool,
  erasure: OpenErasure,
  since: Date | null,
): Promise<number> {
  const { organizationId, emails } = erasure;
  if (emails.length === 0) return 0;
  const search = searchFor(emails);
  const { parts, patterns } = search;
  let total = 0;
  let last: Pick<ScannedEvent, "id" | "createdAt"> | undefined = { id: NIL, createdAt: since ?? new Date(0) };
  while (last) {
    const { rows }: { rows: ScannedEvent[] } = await db.query<ScannedEvent>(
      `SELECT id, created_at AS "createdAt", record_id AS "recordId", CASE WHEN ${containsAny("body", 5, search)} THEN body END AS body
       FROM (SELECT id, created_at, record_id, body FROM events
             WHERE organization_id = $1 AND (created_at, id) > ($2, $3::uuid) ORDER BY created_at, id LIMIT $4) AS events`,
      [organizationId, last.createdAt, last.id, page, parts, patterns],
    );
    const matching = rows.filter(({ body }) => body !== null);
    await keepDeletedRecords(db, erasure, matching);
    for (let from = 0; from < matching.length; from += batch) {
      const ids = matching.slice(from, from + batch).map(({ id }) => id);
      total += await removeEvents(db, erasure, ids);
    }
    last = rows.length < page ? undefined : rows.at(-1);
  }
  return total;
}

/** Stores the IDs of the person's records that were deleted before the erasure. */
async function keepDeletedRecords(
  db: Pool,
  { id, emails }: OpenErasure,
  events: ScannedEvent[],
): Promise<void> {
  const records = events
    .filter(({ body }) => namesPerson(body ?? "", emails))
    .map(({ recordId }) => recordId);
  if (records.length === 0) return;
  await inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `SELECT DISTINCT id FROM unnest($1::uuid[]) AS records (id)
       WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM leads WHERE leads.id = records.id)
         AND NOT EXISTS (SELECT FROM conversations WHERE conversations.id = records.id)
         AND NOT EXISTS (SELECT FROM tickets WHERE tickets.id = records.id)
         AND NOT EXISTS (SELECT FROM meetings WHERE meetings.id = records.id)`,
      [records],
    );
    await keepIds(
      tx,
      id,
      rows.map((row) => row.id),
      false,
    );
  });
}

interface PersonFields {
  contact?: { email?: string | null };
  visitor?: { email?: string | null };
  requester?: { email?: string | null };
  attendees?: { email?: string | null }[];
}

/** Checks whether the record of an event has one of the emails in a field, and not only in a text. */
function namesPerson(body: string, emails: string[]): boolean {
  const { data } = JSON.parse(body) as { data?: { attributes?: PersonFields } };
  const { contact, visitor, requester, attendees = [] } = data?.attributes ?? {};
  return [contact, visitor, requester, ...attendees].some(
    (person) => typeof person?.email === "string" && emails.includes(person.email.toLowerCase()),
  );
}

/**
 * Removes events with their pending deliveries and logged attempts. Waits for no lock, so that deliveries and redeliveries continue. Tries
 * again while another transaction holds an event or a delivery.
 *
 * @returns number of removed events
 */
async function removeEvents(db: Pool, erasure: OpenErasure, ids: string[]): Promise<number> {
  const deadline = Date.now() + longestRetryMs;
  let total = 0;
  for (let left = ids; left.length > 0; ) {
    total += await removeFreeEvents(db, erasure, left);
    const { rows } = await db.query<{ id: string }>("SELECT id FROM events WHERE id = ANY ($1)", [left]);
    left = rows.map(({ id }) => id);
    if (left.length === 0) break;
    if (Date.now() > deadline) throw new Error(`another transaction holds ${left.length} events`);
    await sleep(retryEveryMs);
  }
  return total;
}

async function removeFreeEvents(db: Pool, { id: erasureId }: OpenErasure, ids: string[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    // Redelivery locks an event before it creates a delivery, so locked events get no new delivery.
    const locked = await tx.query<{ id: string }>(
      "SELECT id FROM events WHERE id = ANY ($1) FOR UPDATE SKIP LOCKED",
      [ids],
    );
    const free = locked.rows.map(({ id }) => id);
    const deliveries = await tx.query(
      "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE event_id = ANY ($1) FOR UPDATE SKIP LOCKED)",
      [free],
    );
    const events = await tx.query<{ id: string }>(
      `DELETE FROM events e WHERE e.id = ANY ($1) AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id)
       RETURNING e.id`,
      [free],
    );
    const removed = events.rows.map(({ id }) => id);
    const attempts = await tx.query("DELETE FROM delivery_attempts WHERE event_id = ANY ($1)", [removed]);
    await keepIds(tx, erasureId, removed, true);
    await addToReport(tx, erasureId, {
      events: removed.length,
      deliveries: deliveries.rowCount ?? 0,
      delivery_attempts: attempts.rowCount ?? 0,
    });
    return removed.length;
  });
}
