import { idempotencyKeyLifetime } from "@parley/database";
import type { Pool } from "pg";
import { deleteInBatches } from "./delete-in-batches.ts";

/** Deletes expired idempotency keys with their stored responses. */
export async function deleteIdempotencyKeys(db: Pool): Promise<void> {
  await deleteInBatches(
    db,
    `DELETE FROM idempotency_keys WHERE (organization_id, key) IN (
       SELECT organization_id, key FROM idempotency_keys WHERE created_at < now() - $2::interval LIMIT $1)`,
    [idempotencyKeyLifetime],
  );
}
