import type { Pool } from "pg";
import { NIL } from "uuid";
import { isUnneeded, removeUnneeded } from "../log/remove-unneeded-events.ts";
import type { Logger } from "../logger.ts";
import type { DeliveryObserver } from "../worker/options.ts";
import { mostRows } from "./most-rows.ts";

interface EventLimit {
  db: Pool;
  /** Maximum number of stored events of an organization; 0 for no limit. */
  maxEvents: number;
  log: Logger;
  observer?: Partial<DeliveryObserver> | undefined;
}

/** Minimum size of an event with its place in the page, in bytes. A long body is stored in another table. */
const smallestEvent = 128;
const batch = 1_000;

/** An organization with too many events. */
interface Exceeding {
  id: string;
  /** Time of the first event that is kept, in PostgreSQL's format, because it is only sent back to PostgreSQL. */
  keptFrom: string;
}

/**
 * Limits the stored events of each organization: removes the oldest ones without pending deliveries, in batches, before their retention
 * ends. Events with the same time are removed together or not at all.
 */
export async function limitStoredEvents(limit: EventLimit): Promise<void> {
  const { db, maxEvents, log, observer } = limit;
  if (maxEvents === 0 || (await mostRows(db, "events", smallestEvent)) <= maxEvents) return;
  for (const { id, keptFrom } of await findExceeding(limit)) {
    // First, so that readers of the event feed never skip events that are removed at the same time.
    await db.query(
      "UPDATE organizations SET events_removed_before = greatest(events_removed_before, $2::timestamptz) WHERE id = $1",
      [id, keptFrom],
    );
    const removed = await removeBefore(db, id, keptFrom);
    if (removed === 0) continue;
    observer?.eventsRemoved?.(removed);
    log.warn({ organization: id, removed }, "events removed early: the organization exceeded the limit");
  }
}

async function findExceeding({ db, maxEvents }: EventLimit): Promise<Exceeding[]> {
  const { rows } = await db.query<Exceeding>(
    `SELECT o.id, kept.created_at::text AS "keptFrom" FROM organizations o CROSS JOIN LATERAL (
       SELECT created_at FROM events e WHERE e.organization_id = o.id ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT 1
     ) AS kept
     WHERE EXISTS (SELECT FROM events e WHERE e.organization_id = o.id AND e.created_at < kept.created_at)`,
    [maxEvents - 1],
  );
  return rows;
}

/** Place of an event in the order of their times. */
interface Place {
  id: string;
  createdAt: string;
}

async function removeBefore(db: Pool, organizationId: string, keptFrom: string): Promise<number> {
  let removed = 0;
  let after: Place | undefined = { id: NIL, createdAt: "-infinity" };
  while (after) {
    const done: { removed: number; last: Place | undefined } = await removeUnneeded<Place>(db, {
      text: `SELECT id, created_at::text AS "createdAt" FROM events e
             WHERE organization_id = $1 AND (created_at, id) > ($2::timestamptz, $3::uuid) AND created_at < $4::timestamptz AND ${isUnneeded}
             ORDER BY created_at, id LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
      values: [organizationId, after.createdAt, after.id, keptFrom],
    });
    removed += done.removed;
    after = done.last;
  }
  return removed;
}
