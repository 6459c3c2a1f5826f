import type { Database } from "../client.ts";
import type { OAuthGrant } from "../generated/client.ts";
import { type Actor, recordChange } from "./actor.ts";

/** Why a grant ended. Reuse of a code or of a refresh token means that somebody has a copy. */
export type Reason =
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

/**
 * Ends a grant: every token that came from it stops working. Ending it twice changes nothing, and is recorded once.
 *
 * @returns whether it was in force
 */
export async function revokeGrant(
  db: Database,
  grantId: string,
  now: Date,
  { reason, ...by }: Revocation,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const [grant] = await tx.oAuthGrant.updateManyAndReturn({
      where: { id: grantId, revokedAt: null },
      data: { revokedAt: now },
    });
    if (!grant) return false;
    const subject = auditSubject(grant);
    if (reason === "code_reused" || reason === "refresh_token_reused") {
      await recordChange(tx, by, { event: "token.reused", ...subject, details: { reason } });
    }
    await recordChange(tx, by, { event: "grant.revoked", ...subject, details: { reason } });
    return true;
  });
}

/** Whom and what an audit entry about a grant concerns. */
export function auditSubject({ id, organizationId, userId, clientId }: AuditedGrant) {
  return { grantId: id, organizationId, userId, clientId };
}
