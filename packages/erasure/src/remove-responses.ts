import type { SecretBox } from "@parley/webhooks";
import type { Pool } from "pg";
import type { OpenErasure } from "./erasure.ts";
import { readPages } from "./pages.ts";
import { textContains } from "./texts.ts";
import { addToReport, inTransaction } from "./transaction.ts";

/** Idempotency keys that one statement reads. */
const page = 500;
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

interface StoredResponse {
  key: string;
  /** Null after an erasure. */
  response: Buffer | null;
}

/**
 * Removes stored responses that contain a searched email or the ID of a removed record. The key is kept, so that a repeated request does
 * not create the person again. A key that contains the email is removed too.
 *
 * @param since creation of the keys; null for all
 * @returns number of keys
 */
export async function removeResponses(
  db: Pool,
  secretBox: Pick<SecretBox, "decrypt">,
  erasure: OpenErasure,
  since: Date | null,
): Promise<number> {
  const { id: erasureId, organizationId, emails } = erasure;
  const removedIds = await db.query<{ id: string }>(
    "SELECT id FROM erased_ids WHERE erasure_id = $1 AND NOT is_event",
    [erasureId],
  );
  const records = new Set(removedIds.rows.map(({ id }) => id));
  const first = { key: "", response: null };
  const pages = readPages<StoredResponse>(erasure, page, first, (last) =>
    db.query(
      `SELECT key, response FROM idempotency_keys
       WHERE organization_id = $1 AND key > $2 AND created_at >= coalesce($3, '-infinity'::timestamptz)
         AND (response IS NOT NULL OR request_hash = '')
       ORDER BY key LIMIT $4`,
      [organizationId, last.key, since, page],
    ),
  );
  let total = 0;
  for await (const rows of pages) {
    const named = rows.filter(({ key }) => textContains(key, emails, { isKey: true })).map(({ key }) => key);
    const matching = rows
      .filter(({ response }) => response !== null && isAboutPerson(response))
      .map(({ key }) => key);
    if (named.length + matching.length > 0) {
      total += await inTransaction(db, erasure, async (tx) => {
        const removed = await tx.query(
          "DELETE FROM idempotency_keys WHERE organization_id = $1 AND key = ANY ($2)",
          [organizationId, named],
        );
        const emptied = await tx.query(
          `UPDATE idempotency_keys SET response = NULL, request_hash = '' WHERE organization_id = $1 AND key = ANY ($2)`,
          [organizationId, matching],
        );
        const count = (removed.rowCount ?? 0) + (emptied.rowCount ?? 0);
        await addToReport(tx, erasureId, { idempotency_keys: count });
        return count;
      });
    }
  }
  return total;

  /** A response that no key decrypts could contain anything, and no request can get it. */
  function isAboutPerson(response: Buffer): boolean {
    let text: string;
    try {
      text = secretBox.decrypt(response, organizationId);
    } catch {
      return true;
    }
    return textContains(text, emails) || (text.match(uuids) ?? []).some((id) => records.has(id));
  }
}
