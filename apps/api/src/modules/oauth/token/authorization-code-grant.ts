import type { AuthorizationCode } from "@node-oauth/oauth2-server";
import { hashToken } from "@parley/database";
import { revokeGrant } from "@parley/database/accounts";
import { ApiError } from "../../../http/api-error.ts";
import type { GrantContext, GrantedAccess } from "./token-context.ts";

/**
 * Finds a code that its client may exchange. A code that was used before has leaked somewhere: what it gave is
 * revoked, RFC 6749 section 4.1.2.
 *
 * @returns null when it is unknown, expired, used or another client's
 * @throws ApiError 400 invalid_grant when the redirect URI is not the one of the authorization request
 */
export async function findCode(
  context: GrantContext,
  code: string,
): Promise<(AuthorizationCode & { user: GrantedAccess }) | null> {
  const { db, now, client, parameters } = context;
  const row = await db.oAuthAuthorizationCode.findUnique({
    where: { codeHash: hashToken(code), grant: { organization: { deletionStartedAt: null } } },
    include: { grant: true },
  });
  if (row?.grant.clientId !== client.id) return null;
  if (row.usedAt) await refuseReuse(context, row.grantId);
  if (row.usedAt || row.grant.revokedAt || row.expiresAt <= now) return null;
  if (row.redirectUri !== parameters["redirect_uri"]) {
    throw new ApiError(400, "invalid_grant", "The redirect_uri is not that of the authorization request.");
  }
  return {
    authorizationCode: code,
    expiresAt: row.expiresAt,
    redirectUri: row.redirectUri,
    scope: row.grant.scopes,
    ...(row.codeChallenge && { codeChallenge: row.codeChallenge, codeChallengeMethod: "S256" }),
    client,
    user: { grant: row.grant, refreshScopes: row.grant.scopes },
  };
}

/** Marks a code as used. Of two requests at once one wins; the other is a second use. */
export async function useCode(context: GrantContext, code: AuthorizationCode): Promise<boolean> {
  const used = await context.db.$executeRaw`
    UPDATE oauth_authorization_codes SET used_at = ${context.now}
    WHERE code_hash = ${hashToken(code.authorizationCode)} AND used_at IS NULL`;
  if (used === 0) await refuseReuse(context, (code.user as GrantedAccess).grant.id);
  return used === 1;
}

function refuseReuse({ db, now, address }: GrantContext, grantId: string): Promise<boolean> {
  return revokeGrant(db, grantId, now, { reason: "code_reused", address });
}
