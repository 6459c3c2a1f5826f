import type { Scope } from "@parley/contract";
import { hashToken, type OAuthGrant, type OAuthToken } from "@parley/database";
import { revokeGrants } from "@parley/database/accounts";
import { ApiError } from "../../../http/api-error.ts";
import { maxRefreshExchanges, refreshRetryWindow } from "../lifetimes.ts";
import { type IssuedTokens, issueTokens, type TokenContext } from "./issue-tokens.ts";
import type { RefreshTokenRequest } from "./token-request.ts";

/**
 * Exchanges a refresh token for a new pair and rotates it, RFC 6749 section 6 and RFC 9700 section 4.14.2. Narrower scopes
 * apply to the access token only: the new refresh token keeps the scopes of the old one.
 *
 * @throws ApiError 400 invalid_grant; 400 invalid_scope, without rotating the token
 */
export async function exchangeRefreshToken(
  context: TokenContext,
  { refreshToken, scopes }: RefreshTokenRequest,
): Promise<IssuedTokens> {
  const found = await findRefreshToken(context, refreshToken);
  requireGranted(scopes ?? [], found.scopes);
  await rotateRefreshToken(context, found);
  const access = scopes ?? found.scopes;
  return issueTokens(context, "token.refreshed", found.grant, { access, refresh: found.scopes });
}

type FoundRefreshToken = OAuthToken & { grant: OAuthGrant };

/**
 * Finds an unexpired refresh token that was issued to this client. If the token was rotated longer ago than the retry
 * window, it or its successor was stolen, so the grant is revoked, RFC 9700 section 4.14.2.
 *
 * @throws ApiError 400 invalid_grant
 */
export async function findRefreshToken(
  { db, now, client, address }: TokenContext,
  refreshToken: string,
): Promise<FoundRefreshToken> {
  const found = await db.oAuthToken.findUnique({
    where: {
      tokenHash: hashToken(refreshToken),
      kind: "refresh",
      grant: { organization: { deletionStartedAt: null } },
    },
    include: { grant: true },
  });
  if (found?.grant.clientId !== client.id) throw invalidRefreshToken();
  if (found.rotatedAt !== null && found.rotatedAt < retryableSince(now)) {
    await revokeGrants(db, { id: found.grantId }, now, { reason: "refresh_token_reused", address });
    throw invalidRefreshToken();
  }
  if (found.grant.revokedAt || found.expiresAt <= now) throw invalidRefreshToken();
  return found;
}

/**
 * Marks a refresh token as rotated and counts the exchange. Within the retry window it may be exchanged again.
 *
 * @throws ApiError 400 invalid_grant after the retry window or the last allowed exchange
 */
export async function rotateRefreshToken(
  { db, now }: TokenContext,
  { tokenHash }: FoundRefreshToken,
): Promise<void> {
  const rotated = await db.$executeRaw`
    UPDATE oauth_tokens SET rotated_at = coalesce(rotated_at, ${now}), exchanges = exchanges + 1
    WHERE token_hash = ${tokenHash}
      AND (rotated_at IS NULL OR rotated_at >= ${retryableSince(now)})
      AND exchanges < ${maxRefreshExchanges}`;
  if (rotated === 0) throw invalidRefreshToken();
}

function retryableSince(now: Date): Date {
  return new Date(now.getTime() - refreshRetryWindow);
}

function requireGranted(scopes: Scope[], granted: string[]): void {
  const missing = scopes.find((scope) => !granted.includes(scope));
  if (missing === undefined) return;
  throw new ApiError(
    400,
    "invalid_scope",
    `The scope ${missing} was not granted. Granted scopes: ${granted.join(" ")}.`,
  );
}

function invalidRefreshToken(): ApiError {
  return new ApiError(
    400,
    "invalid_grant",
    "The refresh token is expired or invalid. Use the newest one, or ask the user to authorize again.",
  );
}
