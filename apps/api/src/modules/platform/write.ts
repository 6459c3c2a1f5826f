import { type Database, isUuid, Prisma } from "@parley/database";
import type { Change, Publisher } from "@parley/webhooks";
import { notFound } from "../../http/api-error.ts";

/**
 * Returns the ID of an organization as the database writes it, which locks use.
 *
 * @throws ApiError 404 when there is no such organization, or it is being deleted
 */
export async function requireOrganization(db: Database, id: string): Promise<string> {
  const found = isUuid(id)
    ? await db.organization.findUnique({ where: { id, deletionStartedAt: null }, select: { id: true } })
    : null;
  if (!found) throw notFound("organization");
  return found.id;
}

/** Makes a change of an organization's records. If another request creates the same record first, the change runs again. */
export async function writeRecords<Answer>(
  publisher: Publisher,
  organizationId: string,
  make: (change: Change) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await publisher.change(organizationId, make);
  } catch (error) {
    if (isTaken(error)) return publisher.change(organizationId, make);
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
