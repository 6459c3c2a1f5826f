import type { Pool } from "pg";
import { deleteInBatches, deleteUnlocked } from "./delete-in-batches.ts";

/** Tables with an index on `(organization_id, updated_at)`. */
const recordTables = ["leads", "conversations", "tickets", "meetings"] as const;

/** Retention in days after the last change of a record; undefined keeps records forever. */
export type RecordRetention = Partial<
  Record<(typeof recordTables)[number] | "tool_runs", number | undefined>
>;

/** Fewer than of other rows, because a conversation is deleted with its messages. */
const batch = 200;

/**
 * Deletes records whose last change is older than their retention, with what belongs to them. Skips records that are being changed; the
 * next run deletes them if they are still old.
 */
export async function removeOldRecords(
  db: Pool,
  { tool_runs, ...retention }: RecordRetention,
): Promise<void> {
  for (const table of recordTables) {
    const days = retention[table];
    if (days === undefined) continue;
    for (const id of await findOrganizations(db, table, days)) {
      await deleteInBatches(
        db,
        deleteUnlocked({
          table,
          key: "id",
          where: "organization_id = $2 AND updated_at < now() - make_interval(days => $3)",
          orderBy: "updated_at",
        }),
        [id, days],
        batch,
      );
    }
  }
  if (tool_runs !== undefined) await removeOldToolRuns(db, tool_runs);
}

/** Finds the organizations with old records. Reads one entry of the index for each organization. */
async function findOrganizations(db: Pool, table: string, days: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT o.id FROM organizations o, LATERAL (
       SELECT 1 FROM ${table} r
       WHERE r.organization_id = o.id AND r.updated_at < now() - make_interval(days => $1)
       ORDER BY r.updated_at LIMIT 1) AS old`,
    [days],
  );
  return rows.map(({ id }) => id);
}

/** Tool runs never change. Their IDs are UUIDv7, so old ones are at the beginning of the primary key. */
async function removeOldToolRuns(db: Pool, days: number): Promise<void> {
  await deleteInBatches(
    db,
    deleteUnlocked({
      table: "tool_runs",
      key: "id",
      where: "id < uuidv7(make_interval(days => -$2::int))",
      orderBy: "id",
    }),
    [days],
  );
}
