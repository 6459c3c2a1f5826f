import type { Database } from "../client.ts";
import { isUuid } from "../uuid.ts";
import { AccountNotFoundError } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";
import { emptyTable } from "./empty-table.ts";
import { organizationTables } from "./organization-tables.ts";

/**
 * Deletes an organization with all its data, except its entries in the audit log. The first step prevents any further
 * use of the organization. Rows are deleted in short transactions. If interrupted, call it again.
 *
 * @param batchSize number of rows deleted per transaction
 * @throws AccountNotFoundError
 */
export async function deleteOrganization(
  db: Database,
  id: string,
  by: Actor,
  batchSize = 5_000,
): Promise<void> {
  const organization = isUuid(id) ? await db.organization.findUnique({ where: { id } }) : null;
  if (!organization && !(await wasDeleted(db, id))) throw new AccountNotFoundError("organization", id);
  const { referring, loose } = await organizationTables(db);
  if (organization) {
    await closeOrganization(db, id);
    await revokeAllGrants(db, id, batchSize);
    for (const table of referring) await emptyTable(db, table, id, batchSize);
    await deleteRow(db, organization, by);
  }
  // Tables without foreign keys come last. Every transaction that writes to them also writes to a table with a foreign key, or
  // locks the organization, so it can no longer add rows.
  let deleted = 0;
  for (const table of loose) deleted += await emptyTable(db, table, id, batchSize);
  if (!organization && deleted === 0) throw new AccountNotFoundError("organization", id);
}

/** Checks whether an earlier call deleted the organization's row. Rows of tables without foreign keys may be left then. */
async function wasDeleted(db: Database, organizationId: string): Promise<boolean> {
  if (!isUuid(organizationId)) return false;
  const where = { organizationId, event: "organization.deleted" };
  return (await db.auditEntry.count({ where })) > 0;
}

/**
 * Makes the organization unusable: its tokens, sessions and users are rejected, and nothing more is delivered. Queues are locked
 * before their subscriptions, as workers do, to prevent deadlocks.
 */
async function closeOrganization(db: Database, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE organizations SET deletion_started_at = now() WHERE id = ${id}::uuid AND deletion_started_at IS NULL`;
    await tx.subscriptionQueue.deleteMany({ where: { subscription: { organizationId: id } } });
    await tx.subscription.deleteMany({ where: { organizationId: id } });
  });
}

/** Revokes the grants, with one notification of the API per batch. Otherwise each deleted token would cause a notification. */
async function revokeAllGrants(db: Database, organizationId: string, batchSize: number): Promise<void> {
  const revokeSome = () => db.$executeRaw`
    UPDATE oauth_grants SET revoked_at = now() WHERE id IN (
      SELECT id FROM oauth_grants WHERE organization_id = ${organizationId}::uuid AND revoked_at IS NULL LIMIT ${batchSize})`;
  while ((await revokeSome()) > 0);
}

/** Deletes the organization's row. Foreign keys cascade to rows written since their table was emptied. */
async function deleteRow(db: Database, { id, name }: { id: string; name: string }, by: Actor): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.organization.deleteMany({ where: { id } });
    if (count === 0) return; // Another process has deleted the organization at the same time.
    await recordChange(tx, by, { event: "organization.deleted", organizationId: id, details: { name } });
  });
}
