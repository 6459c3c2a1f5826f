import type { Pool } from "pg";
import { NIL } from "uuid";
import type { OpenErasure } from "./erasure.ts";
import { readPages } from "./pages.ts";
import { containsAny, searchFor } from "./texts.ts";
import { removeRows } from "./transaction.ts";

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
export async function removeRequests(db: Pool, erasure: OpenErasure, since: Date | null): Promise<number> {
  const { organizationId, emails } = erasure;
  if (emails.length === 0) return 0;
  const search = searchFor(emails);
  const { parts, patterns } = search;
  const first = { id: NIL, requestedAt: since ?? new Date(0), matches: false };
  const pages = readPages<ScannedRequest>(erasure, page, first, (last) =>
    db.query(
      `SELECT id, requested_at AS "requestedAt", ${containsAny("concat_ws(' ', request_id, error_description)", 5, search)} AS matches
       FROM (SELECT id, requested_at, request_id, error_description FROM api_requests
             WHERE organization_id = $1 AND (requested_at, id) > ($2, $3::uuid) ORDER BY requested_at, id LIMIT $4) AS requests`,
      [organizationId, last.requestedAt, last.id, page, parts, patterns],
    ),
  );
  let total = 0;
  for await (const requests of pages) {
    const found = requests.filter(({ matches }) => matches);
    if (found.length === 0) continue;
    total += await removeRows(
      db,
      erasure,
      "api_requests",
      `DELETE FROM api_requests
       WHERE organization_id = $1 AND (requested_at, id) IN (SELECT * FROM unnest($2::timestamptz[], $3::uuid[]))`,
      [organizationId, found.map(({ requestedAt }) => requestedAt), found.map(({ id }) => id)],
    );
  }
  return total;
}
