import { type Database, isUuid, Prisma } from "@parley/database";
import type { Change, Publisher } from "@parley/webhooks";
import { notFound } from "../../http/api-error.ts";

/**
 * Returns the ID of an organization in the database's spelling, which advisory locks are derived from.
 *
 * @throws ApiError 404 if the organization does not exist or is being deleted
 */
export async function requireOrganization(db: Database, id: string): Promise<string> {
  const found = isUuid(id)
    ? await db.organization.findUnique({ where: { id, deletionStartedAt: null }, select: { id: true } })
    : null;
  if (!found) throw notFound("organization");
  return found.id;
}

/** Changes an organization's records in a transaction. If a concurrent request creates the same record first, runs the change again. */
export async function writeRecords<Answer>(
  publisher: Publisher,
  organizationId: string,
  make: (change: Change) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await publisher.change(organizationId, make);
  } catch (error) {
    if (isUniqueViolation(error)) return publisher.change(organizationId, make);
    throw error;
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
