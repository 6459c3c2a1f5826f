import type { Pool } from "pg";
import { deleteInBatches } from "./delete-in-batches.ts";

/** Removes what the audit log need not remember any longer. */
export async function forgetAuditEntries(db: Pool, days: number): Promise<void> {
  await deleteInBatches(
    db,
    `DELETE FROM audit_log WHERE id IN (
       SELECT id FROM audit_log WHERE created_at < now() - make_interval(days => $2) LIMIT $1)`,
    [days],
  );
}
