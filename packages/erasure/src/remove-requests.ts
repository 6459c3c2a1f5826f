import type { Pool } from "pg";
import { NIL } from "uuid";
import type { OpenErasure } from "./erasure.ts";
import { containsAny, searchFor } from "./texts.ts";
import { addToReport, inTransaction } from "./transaction.ts";

/** Entries that one statement reads. */
const page = 5_000;

interface ScannedRequest {
  id: string;
  requestedAt: Date;
  matches: boolean;
}

/**
 * Removes entries of the request log whose request ID or error description contains a searched email.
 *
 * @param since time of the requests; null for all
 * @returns number of removed entries
 */
export async function removeRequests(
  db: Pool,
  { id: erasureId, organizationId, emails }: OpenErasure,
  since: Date | null,
): Promise<number> {
  if (emails.length === 0) return 0;
  const search = searchFor(emails);
  const { parts, patterns } = search;
  let total = 0;
  let last: ScannedRequest | undefined = { id: NIL, requestedAt: since ?? new Date(0), matches: false };
  while (last) {
    const { rows }: { rows: ScannedRequest[] } = await db.query<ScannedRequest>(
      `SELECT id, requested_at AS "requestedAt", ${containsAny("concat_ws(' ', request_id, error_description)", 5, search)} AS matches
       FROM (SELECT id, requested_at, request_id, error_description FROM api_requests
             WHERE organization_id = $1 AND (requested_at, id) > ($2, $3::uuid) ORDER BY requested_at, id LIMIT $4) AS requests`,
      [organizationId, last.requestedAt, last.id, page, parts, patterns],
    );
    const found = rows.filter(({ matches }) => matches);
    if (found.length > 0) {
      total += await inTransaction(db, async (tx) => {
        const { rowCount } = await tx.query(
          `DELETE FROM api_requests
           WHERE organization_id = $1 AND (requested_at, id) IN (SELECT * FROM unnest($2::timestamptz[], $3::uuid[]))`,
          [organizationId, found.map(({ requestedAt }) => requestedAt), found.map(({ id }) => id)],
        );
        await addToReport(tx, erasureId, { api_requests: rowCount ?? 0 });
        return rowCount ?? 0;
      });
    }
    last = rows.length < page ? undefined : rows.at(-1);
  }
  return total;
}
