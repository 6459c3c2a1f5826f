import type { Transaction } from "../client.ts";
import type { Prisma } from "../generated/client.ts";
import type { Revocation } from "./grants.ts";

/** Whose grants, and to which app; what is left out holds for all. */
export interface GrantFilter {
  organizationId?: string;
  userId?: string;
  clientId?: string;
}

/** Grants that give access: not revoked, and not all of their tokens have run out. */
export function grantInForce(now: Date) {
  return {
    revokedAt: null,
    tokens: { some: { expiresAt: { gt: now } } },
  } satisfies Prisma.OAuthGrantWhereInput;
}

/**
 * Ends many grants in one statement, also those that no app has taken up yet, and records each.
 *
 * @returns how many were not revoked before
 */
export async function revokeGrants(
  db: Pick<Transaction, "$executeRaw">,
  filter: GrantFilter,
  now: Date,
  { reason, address, operator }: Revocation,
): Promise<number> {
  const [organizationId, userId, clientId, from] = [
    filter.organizationId ?? null,
    filter.userId ?? null,
    filter.clientId ?? null,
    address ?? null,
  ];
  const details = JSON.stringify({ ...(operator !== undefined && { operator }), reason });
  return db.$executeRaw`
    WITH ended AS (
      UPDATE oauth_grants SET revoked_at = ${now}
      WHERE revoked_at IS NULL
        AND (${organizationId}::uuid IS NULL OR organization_id = ${organizationId}::uuid)
        AND (${userId}::uuid IS NULL OR user_id = ${userId}::uuid)
        AND (${clientId}::text IS NULL OR client_id = ${clientId}::text)
      RETURNING id, organization_id, user_id, client_id
    )
    INSERT INTO audit_log (event, organization_id, user_id, client_id, grant_id, address, details)
    SELECT 'grant.revoked', organization_id, user_id, client_id, id, ${from}::text, ${details}::jsonb FROM ended`;
}
