import { allowsScope, type Plan, type Scope } from "@parley/contract";
import type { Database } from "@parley/database";
import type { Caller } from "../../../http/caller.ts";

/** Caller that an access token authenticates, and the token's expiry. */
export interface FoundCaller {
  caller: Caller;
  expiresAt: Date;
}

interface Row extends Omit<Caller, "plan" | "scopes" | "lostScopes"> {
  plan: string;
  role: string;
  granted: string[];
  expiresAt: Date;
}

/**
 * Finds the caller of an unexpired access token, whose grant is not revoked and whose organization is not being deleted. A caller
 * is always a user, never only a client, RFC 9700 section 4.15.
 *
 * @param tokenHash SHA-256 of the token
 * @returns null for other tokens, which are `invalid_token`, RFC 6750 section 3.1
 */
export async function findCaller(
  db: Database,
  tokenHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<FoundCaller | null> {
  const [row] = await db.$queryRaw<Row[]>`
    SELECT g.organization_id AS "organizationId", o.name AS "organizationName", o.plan,
           g.user_id AS "userId", g.client_id AS "clientId", g.id AS "grantId", u.role,
           t.scopes AS granted, t.expires_at AS "expiresAt"
    FROM oauth_tokens t
    JOIN oauth_grants g ON g.id = t.grant_id
    JOIN users u ON u.id = g.user_id
    JOIN organizations o ON o.id = g.organization_id
    WHERE t.token_hash = ${tokenHash} AND t.kind = 'access'
      AND t.expires_at > ${now} AND g.revoked_at IS NULL AND o.deletion_started_at IS NULL`;
  if (!row) return null;
  const { expiresAt, role, granted, plan, ...caller } = row;
  const { allowed: scopes = [], lost: lostScopes = [] } = Object.groupBy(granted as Scope[], (scope) =>
    allowsScope(role, scope) ? "allowed" : "lost",
  );
  return { caller: { ...caller, plan: plan as Plan, scopes, lostScopes }, expiresAt };
}
