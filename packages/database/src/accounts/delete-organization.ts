import type { Database } from "../client.ts";
import { isUuid } from "../uuid.ts";
import { NoSuchAccount } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";
import { emptyTable } from "./empty-table.ts";
import { organizationTables } from "./organization-tables.ts";

/**
 * Deletes an organization with everything that belongs to it; only the audit log keeps its entries. From the first step on
 * the organization cannot be used. Rows are deleted in short transactions. If the process ends in between, call it again.
 *
 * @param batchSize rows that one transaction deletes
 * @throws NoSuchAccount
 */
export async function deleteOrganization(
  db: Database,
  id: string,
  by: Actor,
  batchSize = 5_000,
): Promise<void> {
  const organization = isUuid(id) ? await db.organization.findUnique({ where: { id } }) : null;
  if (!organization && !(await wasDeleted(db, id))) throw new NoSuchAccount("organization", id);
  const { referring, loose } = await organizationTables(db);
  if (organization) {
    await closeOrganization(db, id);
    await revokeAllGrants(db, id, batchSize);
    for (const table of referring) await emptyTable(db, table, id, batchSize);
    await deleteRow(db, organization, by);
  }
  // Tables without foreign keys come last. Every transaction that writes to them also writes to one with a foreign key, and
  // none of these can commit any more.
  let deleted = 0;
  for (const table of loose) deleted += await emptyTable(db, table, id, batchSize);
  if (!organization && deleted === 0) throw new NoSuchAccount("organization", id);
}

/** Whether the row is deleted: rows of tables without foreign keys may be left if the process ended then. */
async function wasDeleted(db: Database, organizationId: string): Promise<boolean> {
  if (!isUuid(organizationId)) return false;
  const where = { organizationId, event: "organization.deleted" };
  return (await db.auditEntry.count({ where })) > 0;
}

/**
 * Makes the organization unusable: its tokens, sessions and users are refused, and nothing is delivered any more. Queues are
 * locked before their subscriptions, as workers do.
 */
async function closeOrganization(db: Database, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE organizations SET deletion_started_at = now() WHERE id = ${id}::uuid AND deletion_started_at IS NULL`;
    await tx.subscriptionQueue.deleteMany({ where: { subscription: { organizationId: id } } });
    await tx.subscription.deleteMany({ where: { organizationId: id } });
  });
}

/** The API is notified of each batch of grants. If they were not revoked, it would be notified of each token that is deleted. */
async function revokeAllGrants(db: Database, organizationId: string, batchSize: number): Promise<void> {
  const revokeSome = () => db.$executeRaw`
    UPDATE oauth_grants SET revoked_at = now() WHERE id IN (
      SELECT id FROM oauth_grants WHERE organization_id = ${organizationId}::uuid AND revoked_at IS NULL LIMIT ${batchSize})`;
  while ((await revokeSome()) > 0);
}

/** The foreign keys delete what was written since its table was emptied. */
async function deleteRow(db: Database, { id, name }: { id: string; name: string }, by: Actor): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.organization.deleteMany({ where: { id } });
    if (count === 0) return; // Another process deletes the organization too, and was faster.
    await recordChange(tx, by, { event: "organization.deleted", organizationId: id, details: { name } });
  });
}
