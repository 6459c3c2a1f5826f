import type { RefreshToken } from "@node-oauth/oauth2-server";
import { hashToken } from "@parley/database";
import { revokeGrant } from "@parley/database/accounts";
import { ApiError } from "../../../http/api-error.ts";
import { maxRefreshExchanges, refreshRetryWindow } from "../lifetimes.ts";
import type { GrantContext, GrantedAccess } from "./token-context.ts";

/**
 * Finds a refresh token that its client may exchange. One that was exchanged longer ago than the retry window is
 * stolen, or its successor is: the whole grant ends, RFC 9700 section 4.14.2.
 *
 * @returns null when it is unknown, expired, revoked or another client's
 * @throws ApiError 400 invalid_scope, before anything was rotated
 */
export async function findRefreshToken(
  { db, now, client, address, parameters: { scope } }: GrantContext,
  refreshToken: string,
): Promise<(RefreshToken & { user: GrantedAccess }) | null> {
  const row = await db.oAuthToken.findUnique({
    where: {
      tokenHash: hashToken(refreshToken),
      kind: "refresh",
      grant: { organization: { deletionStartedAt: null } },
    },
    include: { grant: true },
  });
  if (row?.grant.clientId !== client.id) return null;
  const reused = row.rotatedAt !== null && row.rotatedAt < retryableSince(now);
  if (reused) await revokeGrant(db, row.grantId, now, { reason: "refresh_token_reused", address });
  if (reused || row.grant.revokedAt || row.expiresAt <= now) return null;
  if (scope !== undefined) requireNarrower(scope, row.scopes);
  return {
    refreshToken,
    refreshTokenExpiresAt: row.expiresAt,
    scope: row.scopes,
    client,
    user: { grant: row.grant, refreshScopes: row.scopes },
  };
}

/** Marks a refresh token as exchanged; within the retry window it may be exchanged again, though not endlessly. */
export async function rotateRefreshToken({ db, now }: GrantContext, token: RefreshToken): Promise<boolean> {
  const rotated = await db.$executeRaw`
    UPDATE oauth_tokens SET rotated_at = coalesce(rotated_at, ${now}), exchanges = exchanges + 1
    WHERE token_hash = ${hashToken(token.refreshToken)}
      AND (rotated_at IS NULL OR rotated_at >= ${retryableSince(now)})
      AND exchanges < ${maxRefreshExchanges}`;
  return rotated === 1;
}

function retryableSince(now: Date): Date {
  return new Date(now.getTime() - refreshRetryWindow);
}

function requireNarrower(scope: string, granted: string[]): void {
  if (scope.split(" ").some((asked) => !granted.includes(asked))) {
    throw new ApiError(400, "invalid_scope", "The scope must not be wider than what was granted.");
  }
}
