import type { Database } from "@parley/database";

/** Checks in the audit log whether the account with this email was signed in to from the network before. */
export async function isKnownNetwork(db: Database, email: string, network: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ known: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM users JOIN audit_log ON audit_log.user_id = users.id
      WHERE users.email = ${email} AND event = 'user.signed_in' AND details ->> 'network' = ${network}
    ) AS known`;
  return row?.known ?? false;
}
