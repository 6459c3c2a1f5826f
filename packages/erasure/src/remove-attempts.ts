import type { Pool } from "pg";
import { NIL } from "uuid";
import type { OpenErasure } from "./erasure.ts";
import { containsAny, searchFor } from "./texts.ts";
import { addToReport, inTransaction } from "./transaction.ts";

const batch = 200;
/** Attempts that one statement reads. */
const page = 2_000;

/**
 * Removes the attempts of removed events that were logged after the event was removed. A statement that records results may have started
 * before.
 *
 * @returns number of removed attempts
 */
export async function removeLateAttempts(db: Pool, { id: erasureId }: OpenErasure): Promise<number> {
  let total = 0;
  let last: string | undefined = NIL;
  while (last) {
    const { rows }: { rows: { id: string }[] } = await db.query<{ id: string }>(
      "SELECT id FROM erased_ids WHERE erasure_id = $1 AND is_event AND id > $2 ORDER BY id LIMIT $3",
      [erasureId, last, batch],
    );
    const ids = rows.map(({ id }) => id);
    total += await inTransaction(db, async (tx) => {
      const { rowCount } = await tx.query("DELETE FROM delivery_attempts WHERE event_id = ANY ($1)", [ids]);
      await addToReport(tx, erasureId, { delivery_attempts: rowCount ?? 0 });
      return rowCount ?? 0;
    });
    last = ids.at(-1);
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
  { id: erasureId, organizationId, emails }: OpenErasure,
  since: Date | null,
): Promise<number> {
  if (emails.length === 0) return 0;
  const search = searchFor(emails);
  const { parts, patterns } = search;
  const text = "concat_ws(' ', error, response_body, exchange)";
  const subscriptions = await db.query<{ id: string }>(
    "SELECT id FROM subscriptions WHERE organization_id = $1",
    [organizationId],
  );
  let total = 0;
  for (const { id: subscriptionId } of subscriptions.rows) {
    let last: ScannedAttempt | undefined = {
      deliveryId: NIL,
      attempt: 0,
      attemptedAt: since ?? new Date(0),
      matches: false,
    };
    while (last) {
      const { rows }: { rows: ScannedAttempt[] } = await db.query<ScannedAttempt>(
        `SELECT delivery_id AS "deliveryId", attempt, attempted_at AS "attemptedAt", ${containsAny(text, 6, search)} AS matches
         FROM (SELECT * FROM delivery_attempts
               WHERE subscription_id = $1 AND attempted_at >= $2 AND (attempted_at, delivery_id, attempt) > ($2, $3::uuid, $4)
               ORDER BY attempted_at, delivery_id, attempt LIMIT $5) AS attempts`,
        [subscriptionId, last.attemptedAt, last.deliveryId, last.attempt, page, parts, patterns],
      );
      const found = rows.filter(({ matches }) => matches);
      if (found.length > 0) {
        total += await inTransaction(db, async (tx) => {
          const { rowCount } = await tx.query(
            `DELETE FROM delivery_attempts WHERE (delivery_id, attempt, attempted_at) IN (
               SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::timestamptz[]))`,
            [
              found.map(({ deliveryId }) => deliveryId),
              found.map(({ attempt }) => attempt),
              found.map(({ attemptedAt }) => attemptedAt),
            ],
          );
          await addToReport(tx, erasureId, { delivery_attempts: rowCount ?? 0 });
          return rowCount ?? 0;
        });
      }
      last = rows.length < page ? undefined : rows.at(-1);
    }
  }
  return total;
}
