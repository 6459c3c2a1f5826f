import type { AuditEvent } from "../audit.ts";
import type { Database, Transaction } from "../client.ts";
import { type OAuthGrant, Prisma } from "../generated/client.ts";
import type { Actor } from "./actor.ts";

/** Reason of a revocation. Reuse of a code or refresh token means that it was stolen. */
type Reason =
  | "client_request"
  | "user_request"
  | "operator_request"
  | "password_changed"
  | "code_reused"
  | "refresh_token_reused";

type AuditedGrant = Pick<OAuthGrant, "id" | "organizationId" | "userId" | "clientId">;

export interface Revocation extends Pick<Actor, "address" | "operator"> {
  reason: Reason;
}

/** Filter for grants. Omitted members match all. */
export interface GrantFilter {
  organizationId?: string;
  userId?: string;
  clientId?: string;
}

/** Returns the condition for active grants: not revoked, and with an unexpired token. */
export function activeGrant(now: Date) {
  return {
    revokedAt: null,
    tokens: { some: { expiresAt: { gt: now } } },
  } satisfies Prisma.OAuthGrantWhereInput;
}

/**
 * Revokes grants with their tokens and records each in the audit log, in one statement. Skips grants that are already revoked.
 *
 * @returns number of grants revoked
 */
export async function revokeGrants(
  db: Pick<Transaction, "$executeRaw">,
  which: { id: string } | GrantFilter,
  now: Date,
  { reason, address, operator }: Revocation,
): Promise<number> {
  const events: AuditEvent[] =
    reason === "code_reused" || reason === "refresh_token_reused"
      ? ["token.reused", "grant.revoked"]
      : ["grant.revoked"];
  const details = JSON.stringify({ ...(operator !== undefined && { operator }), reason });
  const recorded = await db.$executeRaw`
    WITH ended AS (
      UPDATE oauth_grants SET revoked_at = ${now}
      WHERE revoked_at IS NULL AND ${conditionOf(which)}
      RETURNING id, organization_id, user_id, client_id
    )
    INSERT INTO audit_log (event, organization_id, user_id, client_id, grant_id, address, details)
    SELECT event, organization_id, user_id, client_id, id, ${address ?? null}::text, ${details}::jsonb
    FROM ended, unnest(${events}::text[]) WITH ORDINALITY AS happened (event, place)
    ORDER BY id, place`;
  return recorded / events.length;
}

/** @throws Error without a condition, which would match all grants */
function conditionOf({ id, organizationId, userId, clientId }: GrantFilter & { id?: string }): Prisma.Sql {
  const conditions = [
    id === undefined ? [] : Prisma.sql`id = ${id}::uuid`,
    organizationId === undefined ? [] : Prisma.sql`organization_id = ${organizationId}::uuid`,
    userId === undefined ? [] : Prisma.sql`user_id = ${userId}::uuid`,
    clientId === undefined ? [] : Prisma.sql`client_id = ${clientId}`,
  ];
  return Prisma.join(conditions.flat(), " AND ");
}

/** Returns the subject of an audit entry about a grant. */
export function auditSubject({ id, organizationId, userId, clientId }: AuditedGrant) {
  return { grantId: id, organizationId, userId, clientId };
}

/** Number of rows deleted per transaction. */
const batch = 10_000;

/**
 * Revokes all grants of a client or a user in one statement, so that they stop working immediately. Then deletes grants and tokens in
 * batches, because there may be millions.
 */
export async function removeGrants(
  db: Database,
  owner: { clientId: string } | { userId: string },
  batchSize = batch,
): Promise<void> {
  await db.oAuthGrant.updateMany({ where: { ...owner, revokedAt: null }, data: { revokedAt: new Date() } });
  const condition =
    "clientId" in owner
      ? Prisma.sql`client_id = ${owner.clientId}`
      : Prisma.sql`user_id = ${owner.userId}::uuid`;
  const tokens = () => db.$executeRaw`
    DELETE FROM oauth_tokens WHERE token_hash IN (
      SELECT token_hash FROM oauth_tokens JOIN oauth_grants ON oauth_grants.id = grant_id WHERE ${condition} LIMIT ${batchSize})`;
  const grants = () => db.$executeRaw`
    DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE ${condition} LIMIT ${batchSize})`;
  for (const deleteSome of [tokens, grants]) while ((await deleteSome()) === batchSize);
}
