import type { Database } from "@parley/database";

/** Ends a grant: every token that came from it stops working. Ending it twice changes nothing. */
export async function revokeGrant(db: Database, grantId: string, now: Date): Promise<void> {
  await db.$executeRaw`UPDATE oauth_grants SET revoked_at = ${now} WHERE id = ${grantId}::uuid AND revoked_at IS NULL`;
}
