import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { NIL } from "uuid";
import type { OpenErasure } from "./erasure.ts";
import { readPages } from "./pages.ts";
import { containsAny, leadIn, searchFor } from "./texts.ts";
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
  /** ID of a removed lead that the event refers to; null if there is none. */
  leadId: string | null;
  /** Body; null if it contains no searched email and does not refer to a removed lead. */
  body: string | null;
}

/**
 * Removes all events of the organization whose body contains a searched email or refers to a removed lead. If the event is about a person's
 * record that was deleted earlier, the next pass removes the other events of this record.
 *
 * @param since creation of the events; null for all
 * @returns number of removed events, and whether such a record was found
 */
export async function removeEventsAboutPerson(
  db: Pool,
  erasure: OpenErasure,
  since: Date | null,
): Promise<{ removed: number; foundDeleted: boolean }> {
  const search = searchFor(erasure.emails);
  const { parts, patterns } = search;
  const first = { id: NIL, createdAt: since ?? new Date(0), recordId: null, leadId: null, body: null };
  const pages = readPages<ScannedEvent>(erasure, page, first, (last) =>
    db.query(
      `SELECT id, created_at AS "createdAt", record_id AS "recordId", lead_id AS "leadId",
         CASE WHEN lead_id IS NOT NULL OR ${containsAny("body", 6, search)} THEN body END AS body
       FROM (SELECT id, created_at, record_id, body,
               (SELECT erased.id FROM erased_ids erased
                WHERE erasure_id = $5 AND NOT is_event AND erased.id = ${leadIn("body")}) AS lead_id
             FROM events
             WHERE organization_id = $1 AND (created_at, id) > ($2, $3::uuid) ORDER BY created_at, id LIMIT $4) AS events`,
      [erasure.organizationId, last.createdAt, last.id, page, erasure.id, parts, patterns],
    ),
  );
  let removed = 0;
  let foundDeleted = false;
  for await (const events of pages) {
    const matching = events.filter(({ body }) => body !== null);
    if (await keepDeletedRecords(db, erasure, matching)) foundDeleted = true;
    for (let from = 0; from < matching.length; from += batch) {
      const ids = matching.slice(from, from + batch).map(({ id }) => id);
      removed += await removeEvents(db, erasure, ids);
    }
  }
  return { removed, foundDeleted };
}

/** Stores the IDs of the person's records that were deleted before the erasure. @returns whether there are any */
async function keepDeletedRecords(db: Pool, erasure: OpenErasure, events: ScannedEvent[]): Promise<boolean> {
  const { id, emails } = erasure;
  const records = events.filter((event) => namesPerson(event, emails)).map(({ recordId }) => recordId);
  if (records.length === 0) return false;
  return inTransaction(db, erasure, async (tx) => {
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
    return rows.length > 0;
  });
}

interface PersonFields {
  lead_id?: string | null;
  contact?: { email?: string | null };
  visitor?: { email?: string | null };
  requester?: { email?: string | null };
  attendees?: { email?: string | null }[];
}

/** Checks whether the record of an event has the removed lead or one of the emails in a field, and not only in a text. */
function namesPerson({ body, leadId }: ScannedEvent, emails: string[]): boolean {
  const { data } = JSON.parse(body ?? "{}") as { data?: { attributes?: PersonFields } };
  const { lead_id, contact, visitor, requester, attendees = [] } = data?.attributes ?? {};
  if (leadId !== null && lead_id === leadId) return true;
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

async function removeFreeEvents(db: Pool, erasure: OpenErasure, ids: string[]): Promise<number> {
  const { id: erasureId } = erasure;
  return inTransaction(db, erasure, async (tx) => {
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
