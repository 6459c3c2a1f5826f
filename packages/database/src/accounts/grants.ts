import type { AuditEvent } from "../audit.ts";
import type { Database, Transaction } from "../client.ts";
import { type OAuthGrant, Prisma } from "../generated/client.ts";
import type { Actor } from "./actor.ts";

/** Why a grant ended. Reuse of a code or of a refresh token means that somebody has a copy. */
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
 * Ends grants and records each, in one statement, however many they are: every token that came from them stops working. A grant
 * that was ended before is left as it is.
 *
 * @returns how many were not revoked before
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

/** @throws Error when nothing is named: that would be everybody's */
function conditionOf({ id, organizationId, userId, clientId }: GrantFilter & { id?: string }): Prisma.Sql {
  const conditions = [
    id === undefined ? [] : Prisma.sql`id = ${id}::uuid`,
    organizationId === undefined ? [] : Prisma.sql`organization_id = ${organizationId}::uuid`,
    userId === undefined ? [] : Prisma.sql`user_id = ${userId}::uuid`,
    clientId === undefined ? [] : Prisma.sql`client_id = ${clientId}`,
  ];
  return Prisma.join(conditions.flat(), " AND ");
}

/** Whom and what an audit entry about a grant concerns. */
export function auditSubject({ id, organizationId, userId, clientId }: AuditedGrant) {
  return { grantId: id, organizationId, userId, clientId };
}

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
