import { type Database, isUuid, Prisma, type RecordRows, recordColumns } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { invalidField, notFound } from "../http/api-error.ts";
import { perTransaction } from "./per-transaction.ts";

type Table = keyof typeof singular;
const singular = {
  chatbots: "chatbot",
  leads: "lead",
  tickets: "ticket",
  meetings: "meeting",
  conversations: "conversation",
  messages: "message",
};

/** Transaction on an organization's records. */
export type OrganizationTransaction = Pick<Change, "tx" | "organizationId">;

/**
 * Finds a record by ID.
 *
 * @param lock locking clause of the SELECT; default: none
 * @throws ApiError 404 if the organization has no such record
 */
export async function findRecord<Kind extends keyof RecordRows>(
  db: Pick<Database, "$queryRaw">,
  table: Kind,
  organizationId: string,
  id: string,
  lock = Prisma.empty,
): Promise<RecordRows[Kind]> {
  if (!isUuid(id)) throw notFound(singular[table]);
  const [row] = await db.$queryRaw<RecordRows[Kind][]>`
    SELECT ${recordColumns[table]} FROM ${Prisma.raw(table)}
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid ${lock}`;
  if (!row) throw notFound(singular[table]);
  return row;
}

/**
 * Finds a record by ID and locks its row until the commit, so that concurrent changes are not lost.
 *
 * @throws ApiError 404 if the organization has no such record
 */
export async function lockRecord<Kind extends keyof RecordRows>(
  { tx, organizationId }: OrganizationTransaction,
  table: Kind,
  id: string,
): Promise<RecordRows[Kind]> {
  return findRecord(tx, table, organizationId, id, Prisma.sql`FOR NO KEY UPDATE`);
}

/**
 * Checks that a record of the organization has the given ID, and prevents its deletion until the commit. Accepts null and undefined.
 *
 * @param field path into the request, for example `body/lead_id`
 * @throws ApiError 400 if the organization has no such record
 */
export async function requireReference(
  change: Change,
  table: Table,
  id: string | null | undefined,
  field: string,
): Promise<void> {
  if (id === null || id === undefined) return;
  if (isUuid(id) && (await select(change, table, Prisma.sql`id = ${id}::uuid`))) return;
  throw invalidField(field, `must be the ID of a ${singular[table]} of the organization`);
}

/**
 * Returns the ID of the record with the given external ID, and prevents its deletion until the commit. Returns null and undefined
 * unchanged.
 *
 * @param field path into the request, for example `body/lead_external_id`
 * @throws ApiError 400 if the organization has no such record
 */
export async function resolveReference<Name extends string | null | undefined>(
  change: Change,
  table: Table,
  externalId: Name,
  field: string,
): Promise<string | Exclude<Name, string>> {
  if (typeof externalId !== "string") return externalId as Exclude<Name, string>;
  const known = resolved(change.tx);
  const key = `${table} ${externalId}`;
  const id = known.get(key) ?? (await select(change, table, Prisma.sql`external_id = ${externalId}`));
  if (id) {
    known.set(key, id);
    return id;
  }
  throw invalidField(field, `must be the external_id of a ${singular[table]} of the organization`);
}

/** IDs that a transaction has found, so that the items of a batch look up each ID only once. */
const resolved = perTransaction<string>();

/**
 * Returns the ID of the organization's record that meets the condition; undefined if there is none. The lock is that of a foreign key, so it
 * only waits for deletions.
 */
async function select(
  { tx, organizationId }: Change,
  table: Table,
  condition: Prisma.Sql,
): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${Prisma.raw(table)} WHERE organization_id = ${organizationId}::uuid AND ${condition} FOR KEY SHARE`;
  return row?.id;
}
