import type { Schemas } from "@parley/contract";
import { isUuid, Prisma } from "@parley/database";
import { notFound } from "../http/api-error.ts";
import { item } from "../http/envelope.ts";
import type { OrganizationTransaction } from "./rows.ts";

/** Tables of the records that can be deleted, with the names of the records. */
const deletable = { leads: "lead", conversations: "conversation", tickets: "ticket", meetings: "meeting" };
/** Table of records that can be deleted. */
export type Deletable = keyof typeof deletable;

/**
 * Deletes a record by ID. Foreign keys delete the messages and feedback of a conversation, and set references of other records to null.
 *
 * @throws ApiError 404 if the organization has no such record
 */
export async function deleteRecord(
  change: OrganizationTransaction,
  table: Deletable,
  id: string,
): Promise<Schemas["DeletedRecordResponse"]> {
  if (!isUuid(id)) throw notFound(deletable[table]);
  return deleteOne(change, table, Prisma.sql`id = ${id}::uuid`);
}

/** Deletes a record by external ID, like `deleteRecord`. @throws ApiError 404 if the organization has no such record */
export async function deleteByExternalId(
  change: OrganizationTransaction,
  table: Deletable,
  externalId: string,
): Promise<Schemas["DeletedRecordResponse"]> {
  return deleteOne(change, table, Prisma.sql`external_id = ${externalId}`);
}

async function deleteOne(
  { tx, organizationId }: OrganizationTransaction,
  table: Deletable,
  condition: Prisma.Sql,
): Promise<Schemas["DeletedRecordResponse"]> {
  const [deleted] = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM ${Prisma.raw(table)} WHERE organization_id = ${organizationId}::uuid AND ${condition} RETURNING id`;
  if (!deleted) throw notFound(deletable[table]);
  return item({ id: deleted.id, deleted: true as const });
}
