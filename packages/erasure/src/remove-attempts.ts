import type { Pool } from "pg";
import { NIL } from "uuid";
import type { OpenErasure } from "./erasure.ts";
import { readPages } from "./pages.ts";
import { containsAny, searchFor } from "./texts.ts";
import { removeRows } from "./transaction.ts";

/** Removed events whose attempts one statement removes. */
const batch = 200;
/** Attempts that one statement reads. */
const page = 2_000;

/**
 * Removes the attempts of removed events that were logged after the event was removed. A statement that records results may have started
 * before.
 *
 * @returns number of removed attempts
 */
export async function removeLateAttempts(db: Pool, erasure: OpenErasure): Promise<number> {
  let total = 0;
  const pages = readPages<{ id: string }>(erasure, batch, { id: NIL }, ({ id }) =>
    db.query(
      "SELECT id FROM erased_ids WHERE erasure_id = $1 AND is_event AND id > $2 ORDER BY id LIMIT $3",
      [erasure.id, id, batch],
    ),
  );
  for await (const events of pages) {
    total += await removeRows(
      db,
      erasure,
      "delivery_attempts",
      "DELETE FROM delivery_attempts WHERE event_id = ANY ($1)",
      [events.map(({ id }) => id)],
    );
  }
  return total;
}

interface ScannedAttempt {
  deliveryId: string;
  attempt: number;
  attemptedAt: Date;
  matches: boolean;
}

/**
 * Removes logged attempts of the organization whose response contains a searched email, for example because the receiver repeated the
 * request.
 *
 * @param since time of the attempts; null for all
 * @returns number of removed attempts
 */
export async function removeAttemptsWithEmail(
  db: Pool,
  erasure: OpenErasure,
  since: Date | null,
): Promise<number> {
  if (erasure.emails.length === 0) return 0;
  const search = searchFor(erasure.emails);
  const { parts, patterns } = search;
  const text = "concat_ws(' ', error, response_body, exchange)";
  const subscriptions = await db.query<{ id: string }>(
    "SELECT id FROM subscriptions WHERE organization_id = $1",
    [erasure.organizationId],
  );
  const first = { deliveryId: NIL, attempt: 0, attemptedAt: since ?? new Date(0), matches: false };
  let total = 0;
  for (const { id: subscriptionId } of subscriptions.rows) {
    const pages = readPages<ScannedAttempt>(erasure, page, first, (last) =>
      db.query(
        `SELECT delivery_id AS "deliveryId", attempt, attempted_at AS "attemptedAt", ${containsAny(text, 6, search)} AS matches
         FROM (SELECT * FROM delivery_attempts
               WHERE subscription_id = $1 AND attempted_at >= $2 AND (attempted_at, delivery_id, attempt) > ($2, $3::uuid, $4)
               ORDER BY attempted_at, delivery_id, attempt LIMIT $5) AS attempts`,
        [subscriptionId, last.attemptedAt, last.deliveryId, last.attempt, page, parts, patterns],
      ),
    );
    for await (const attempts of pages) {
      const found = attempts.filter(({ matches }) => matches);
      if (found.length === 0) continue;
      total += await removeRows(
        db,
        erasure,
        "delivery_attempts",
        `DELETE FROM delivery_attempts WHERE (delivery_id, attempt, attempted_at) IN (
           SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::timestamptz[]))`,
        [
          found.map(({ deliveryId }) => deliveryId),
          found.map(({ attempt }) => attempt),
          found.map(({ attemptedAt }) => attemptedAt),
        ],
      );
    }
  }
  return total;
}
