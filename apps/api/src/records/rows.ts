import { isUuid, Prisma } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { invalidField } from "../http/api-error.ts";

type Table = "chatbots" | "leads" | "tickets" | "meetings" | "conversations";
const singular = {
  chatbots: "chatbot",
  leads: "lead",
  tickets: "ticket",
  meetings: "meeting",
  conversations: "conversation",
};

/** Locks one record of the organization until the commit, so that two changes at once lose nothing. */
export async function lockRow(change: Change, table: Table, id: string): Promise<void> {
  if (isUuid(id)) await select(change, table, id, Prisma.sql`FOR NO KEY UPDATE`);
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
  if (isUuid(id) && (await select(change, table, id, Prisma.empty)) === 1) return;
  throw invalidField(field, `must be the id of a ${singular[table]} of the organization`);
}

async function select(
  { tx, organizationId }: Change,
  table: Table,
  id: string,
  lock: Prisma.Sql,
): Promise<number> {
  return tx.$executeRaw`
    SELECT 1 FROM ${Prisma.raw(table)} WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid ${lock}`;
}
