import type { Pool } from "pg";
import { deleteInBatches } from "./delete-in-batches.ts";

/** Deletes entries of the audit log that are older than `days`. */
export async function deleteAuditEntries(db: Pool, days: number): Promise<void> {
  await deleteInBatches(
    db,
    `DELETE FROM audit_log WHERE id IN (
       SELECT id FROM audit_log WHERE created_at < now() - make_interval(days => $2) LIMIT $1)`,
    [days],
  );
}
