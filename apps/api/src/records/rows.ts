import { isUuid, Prisma } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { invalidField, notFound } from "../http/api-error.ts";

type Table = "chatbots" | "leads" | "tickets" | "meetings" | "conversations" | "messages" | "subscriptions";
const singular = {
  chatbots: "chatbot",
  leads: "lead",
  tickets: "ticket",
  meetings: "meeting",
  conversations: "conversation",
  messages: "message",
  subscriptions: "webhook subscription",
};

/** A transaction on an organization's records. */
export type Within = Pick<Change, "tx" | "organizationId">;

/** The Prisma model of records that belong to an organization. */
interface Records<Row> {
  findFirst(query: { where: { id: string; organizationId: string } }): PromiseLike<Row | null>;
}

/**
 * Finds a record by ID.
 *
 * @throws ApiError 404 when the organization has no such record
 */
export async function findRecord<Row>(
  records: Records<Row>,
  kind: string,
  organizationId: string,
  id: string,
): Promise<Row> {
  const row = isUuid(id) ? await records.findFirst({ where: { id, organizationId } }) : null;
  if (row === null) throw notFound(kind);
  return row;
}

/** Locks one record of the organization until the commit, so that two changes at once lose nothing. */
export async function lockRow(change: Within, table: Table, id: string): Promise<void> {
  if (isUuid(id)) await select(change, table, Prisma.sql`id = ${id}::uuid`, Prisma.sql`FOR NO KEY UPDATE`);
}

/**
 * Makes sure that an id which a request names belongs to a record of the organization; null names none.
 *
 * @param field path into the request, for example `body/lead_id`
 * @throws ApiError 400 when it does not
 */
export async function requireReference(
  change: Change,
  table: Table,
  id: string | null | undefined,
  field: string,
): Promise<void> {
  if (id === null || id === undefined) return;
  if (isUuid(id) && (await select(change, table, Prisma.sql`id = ${id}::uuid`))) return;
  throw invalidField(field, `must be the id of a ${singular[table]} of the organization`);
}

/**
 * The id of the record that a request names by the platform's own id; null and undefined name none and stay what they are.
 *
 * @param field path into the request, for example `body/lead_external_id`
 * @throws ApiError 400 when the organization has no such record
 */
export async function resolveReference<Name extends string | null | undefined>(
  change: Change,
  table: Table,
  externalId: Name,
  field: string,
): Promise<string | Exclude<Name, string>> {
  if (typeof externalId !== "string") return externalId as Exclude<Name, string>;
  const id = await select(change, table, Prisma.sql`external_id = ${externalId}`);
  if (id) return id;
  throw invalidField(field, `must be the external_id of a ${singular[table]} of the organization`);
}

/** @returns the id of the organization's record; undefined when there is none */
async function select(
  { tx, organizationId }: Within,
  table: Table,
  condition: Prisma.Sql,
  lock = Prisma.empty,
): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${Prisma.raw(table)} WHERE organization_id = ${organizationId}::uuid AND ${condition} ${lock}`;
  return row?.id;
}
