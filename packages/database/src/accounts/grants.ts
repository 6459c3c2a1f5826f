import type { AuditEvent } from "../audit.ts";
import type { Database } from "../client.ts";
import type { OAuthGrant } from "../generated/client.ts";
import { type Actor, recordChanges } from "./actor.ts";

/** Why a grant ended. Reuse of a code or of a refresh token means that somebody has a copy. */
export type Reason =
  | "client_request"
  | "user_request"
  | "operator_request"
  | "code_reused"
  | "refresh_token_reused";

type AuditedGrant = Pick<OAuthGrant, "id" | "organizationId" | "userId" | "clientId">;

export interface Revocation extends Pick<Actor, "address" | "operator"> {
  reason: Reason;
}

/**
 * Ends a grant: every token that came from it stops working. Ending it twice changes nothing, and is recorded once.
 *
 * @returns whether it was in force
 */
export async function revokeGrant(
  db: Database,
  id: string,
  now: Date,
  revocation: Revocation,
): Promise<boolean> {
  return (await revokeGrants(db, { id }, now, revocation)) > 0;
}

/**
 * Ends all of some grants in one statement, as above.
 *
 * @returns how many were in force
 */
export async function revokeGrants(
  db: Database,
  which: { id: string } | { userId: string; clientId: string },
  now: Date,
  { reason, ...by }: Revocation,
): Promise<number> {
  return db.$transaction(async (tx) => {
    const grants = await tx.oAuthGrant.updateManyAndReturn({
      where: { ...which, revokedAt: null },
      data: { revokedAt: now },
    });
    const events: AuditEvent[] =
      reason === "code_reused" || reason === "refresh_token_reused"
        ? ["token.reused", "grant.revoked"]
        : ["grant.revoked"];
    const records = grants.flatMap((grant) =>
      events.map((event) => ({ event, ...auditSubject(grant), details: { reason } })),
    );
    await recordChanges(tx, by, records);
    return grants.length;
  });
}

/** Whom and what an audit entry about a grant concerns. */
export function auditSubject({ id, organizationId, userId, clientId }: AuditedGrant) {
  return { grantId: id, organizationId, userId, clientId };
}
