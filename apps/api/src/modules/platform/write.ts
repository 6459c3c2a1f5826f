import { type Database, isUuid, Prisma } from "@parley/database";
import type { Change, Publisher, SecretBox } from "@parley/webhooks";
import { notFound } from "../../http/api-error.ts";
import { answerOnce, type RequestKey } from "../../http/idempotency.ts";

/**
 * Returns the ID of an organization as the database writes it, which locks and keys use.
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

/** Makes a change of an organization's records, once for a key where there is one. */
export type WriteOnce = <Answer extends object>(
  organizationId: string,
  key: RequestKey | undefined,
  make: (change: Change) => Promise<Answer>,
) => Promise<{ answer: Answer; replayed: boolean }>;

export function createWriteOnce(publisher: Publisher, secretBox: SecretBox): WriteOnce {
  return async (organizationId, requestKey, make) => {
    const write = () =>
      publisher.change(organizationId, async (change) =>
        requestKey
          ? answerOnce(change, secretBox, requestKey, () => make(change))
          : { answer: await make(change), replayed: false },
      );
    try {
      return await write();
    } catch (error) {
      // Of two that create the same record at once, the later one finds it there the second time.
      if (isTaken(error)) return write();
      throw error;
    }
  };
}

function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
