import type { Database } from "../client.ts";
import { Prisma } from "../generated/client.ts";

/** Rows that one short transaction deletes. */
const batch = 10_000;

/**
 * Ends every grant of a client or a user in one statement, then deletes grants and tokens in batches: there may be millions,
 * and whoever uses one of them must not go on until the last is gone.
 */
export async function removeGrants(
  db: Database,
  whose: { clientId: string } | { userId: string },
  batchSize = batch,
): Promise<void> {
  await db.oAuthGrant.updateMany({ where: { ...whose, revokedAt: null }, data: { revokedAt: new Date() } });
  const theirs =
    "clientId" in whose
      ? Prisma.sql`client_id = ${whose.clientId}`
      : Prisma.sql`user_id = ${whose.userId}::uuid`;
  const tokens = () => db.$executeRaw`
    DELETE FROM oauth_tokens WHERE token_hash IN (
      SELECT token_hash FROM oauth_tokens JOIN oauth_grants ON oauth_grants.id = grant_id WHERE ${theirs} LIMIT ${batchSize})`;
  const grants = () => db.$executeRaw`
    DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE ${theirs} LIMIT ${batchSize})`;
  for (const deleteSome of [tokens, grants]) while ((await deleteSome()) === batchSize);
}
