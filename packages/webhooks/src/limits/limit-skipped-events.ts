import type { Pool } from "pg";
import type { Logger } from "../logger.ts";
import { mostRows } from "./most-rows.ts";

interface SkippedLimit {
  db: Pool;
  /** Maximum number of skipped events of an organization; 0 for no limit. */
  maxPending: number;
  log: Logger;
}

/** Time for which skipped events are kept, in days. */
const keepDays = 7;
/** Minimum size of a row with its place in the page, in bytes. */
const smallestRow = 76;
const batch = 1_000;

/** Skipped events of one gap of a subscription. */
interface Gap {
  subscriptionId: string;
  /** Like `kept`, in PostgreSQL's format, because it is only sent back to PostgreSQL. */
  from: string;
}

/**
 * Removes skipped events of deleted subscriptions and of gaps that ended without being filled. Also removes them after `keepDays`, when their events
 * are no longer stored, and, the oldest first, beyond the limit of an organization. These three make a gap incomplete.
 */
export async function limitSkippedEvents(limit: SkippedLimit): Promise<void> {
  const { db, maxPending } = limit;
  await removeOld(limit);
  if (maxPending > 0 && (await mostRows(db, "skipped_events", smallestRow)) > maxPending)
    await removeExceeding(limit);
}

/** Skips through the index from one gap to the next, so that the cost does not depend on the number of rows. */
const gaps = `
  WITH RECURSIVE gap AS (
    (SELECT subscription_id, gap_from, event_id FROM skipped_events ORDER BY subscription_id, gap_from, sequence LIMIT 1)
    UNION ALL
    SELECT next.* FROM gap CROSS JOIN LATERAL (
      SELECT subscription_id, gap_from, event_id FROM skipped_events
      WHERE (subscription_id, gap_from) > (gap.subscription_id, gap.gap_from)
      ORDER BY subscription_id, gap_from, sequence LIMIT 1) AS next
  )`;

async function removeOld({ db, log }: SkippedLimit): Promise<void> {
  const { rows } = await db.query<Gap & { kept: string | null }>(
    `${gaps}
     SELECT gap.subscription_id AS "subscriptionId", gap.gap_from::text AS "from", kept.since::text AS kept
     FROM gap LEFT JOIN (subscriptions s JOIN organizations o ON o.id = s.organization_id)
       ON s.id = gap.subscription_id AND s.gap_from = gap.gap_from
     CROSS JOIN event_retention retention
     CROSS JOIN LATERAL (
       SELECT CASE WHEN s.id IS NOT NULL THEN
         greatest(now() - make_interval(days => $1::int), retention.removed_before, o.events_removed_before) END AS since) AS kept
     WHERE kept.since IS NULL OR uuid_extract_timestamp(gap.event_id) < kept.since`,
    [keepDays],
  );
  for (const { kept, ...gap } of rows) {
    if (kept === null) {
      await removeFirst(db, gap, Number.POSITIVE_INFINITY);
      continue;
    }
    await breakGap(db, gap);
    const removed = await removeFirst(db, gap, Number.POSITIVE_INFINITY, kept);
    log.warn({ subscription: gap.subscriptionId, removed }, "skipped events removed because of their age");
  }
}

async function removeExceeding({ db, maxPending, log }: SkippedLimit): Promise<void> {
  const { rows } = await db.query<Gap & { organizationId: string; skipped: number }>(
    `SELECT s.organization_id AS "organizationId", s.id AS "subscriptionId", s.gap_from::text AS "from", counted.skipped
     FROM subscriptions s CROSS JOIN LATERAL (
       SELECT count(*)::int AS skipped FROM (
         SELECT FROM skipped_events k WHERE k.subscription_id = s.id AND k.gap_from = s.gap_from LIMIT $1) AS first_ones) AS counted
     WHERE s.gap_from IS NOT NULL AND counted.skipped > 0 ORDER BY counted.skipped DESC, s.id`,
    [2 * maxPending],
  );
  for (const [organizationId, ofOne] of Map.groupBy(rows, (row) => row.organizationId)) {
    let excess = ofOne.reduce((sum, { skipped }) => sum + skipped, 0) - maxPending;
    for (const gap of ofOne) {
      if (excess <= 0) break;
      await breakGap(db, gap);
      const removed = await removeFirst(db, gap, excess);
      excess -= removed;
      const details = { organization: organizationId, subscription: gap.subscriptionId, removed };
      log.warn(details, "skipped events removed: the organization exceeded the limit");
    }
  }
}

/** Marks the gap as incomplete, before events are removed from it. */
async function breakGap(db: Pool, { subscriptionId, from }: Gap): Promise<void> {
  await db.query(
    "UPDATE subscriptions SET gap_broken_at = now() WHERE id = $1 AND gap_from = $2::timestamptz",
    [subscriptionId, from],
  );
}

/** Removes the first events of a gap in batches. @param before only events before this time; default: all @returns number of removed rows */
async function removeFirst(
  db: Pool,
  { subscriptionId, from }: Gap,
  most: number,
  before = "infinity",
): Promise<number> {
  let removed = 0;
  for (;;) {
    const limit = Math.min(batch, most - removed);
    const { rowCount } = await db.query(
      `DELETE FROM skipped_events WHERE subscription_id = $1 AND gap_from = $2::timestamptz AND sequence = ANY (ARRAY(
         SELECT sequence FROM (
           SELECT sequence, event_id FROM skipped_events
           WHERE subscription_id = $1 AND gap_from = $2::timestamptz ORDER BY sequence LIMIT $3) AS first_ones
         WHERE uuid_extract_timestamp(event_id) < $4::timestamptz))`,
      [subscriptionId, from, limit, before],
    );
    removed += rowCount ?? 0;
    if (limit === 0 || (rowCount ?? 0) < limit) return removed;
  }
}
