import { hashToken, type OAuthAuthorizationCode, type OAuthGrant } from "@parley/database";
import { revokeGrants } from "@parley/database/accounts";
import { ApiError } from "../../../http/api-error.ts";
import { matchesCodeChallenge } from "../pkce.ts";
import { type IssuedTokens, issueTokens, type TokenContext } from "./issue-tokens.ts";
import type { AuthorizationCodeRequest } from "./token-request.ts";

/**
 * Exchanges an authorization code for tokens, RFC 6749 section 4.1.3 with PKCE, RFC 7636 section 4.6. The redirect URI
 * must be the same as before, including the port of a native app (RFC 8252 section 7.3).
 *
 * @throws ApiError 400 invalid_grant
 */
export async function exchangeAuthorizationCode(
  context: TokenContext,
  { code, redirectUri, codeVerifier }: AuthorizationCodeRequest,
): Promise<IssuedTokens> {
  const issued = await findAuthorizationCode(context, code);
  if (issued.redirectUri !== redirectUri) {
    throw invalidGrant("The redirect_uri must be the same as in the authorization request.");
  }
  await useAuthorizationCode(context, issued);
  // The code becomes invalid before the verifier is checked, so that a verifier can be guessed only once.
  verifyCodeVerifier(codeVerifier, issued.codeChallenge);
  const { grant } = issued;
  return issueTokens(context, "token.issued", grant, { access: grant.scopes, refresh: grant.scopes });
}

type IssuedCode = OAuthAuthorizationCode & { grant: OAuthGrant };

/**
 * Finds an unused, unexpired code that was issued to this client. If the code was used before, the grant is revoked,
 * RFC 6749 section 4.1.2.
 *
 * @throws ApiError 400 invalid_grant
 */
export async function findAuthorizationCode(context: TokenContext, code: string): Promise<IssuedCode> {
  const issued = await context.db.oAuthAuthorizationCode.findUnique({
    where: { codeHash: hashToken(code), grant: { organization: { deletionStartedAt: null } } },
    include: { grant: true },
  });
  if (issued?.grant.clientId !== context.client.id) throw invalidCode();
  if (issued.usedAt) throw await revokeReused(context, issued);
  if (issued.grant.revokedAt || issued.expiresAt <= context.now) throw invalidCode();
  return issued;
}

/**
 * Marks a code as used. Of concurrent requests with the same code one succeeds; the others count as reuse.
 *
 * @throws ApiError 400 invalid_grant
 */
export async function useAuthorizationCode(context: TokenContext, issued: IssuedCode): Promise<void> {
  const used = await context.db.$executeRaw`
    UPDATE oauth_authorization_codes SET used_at = ${context.now}
    WHERE code_hash = ${issued.codeHash} AND used_at IS NULL`;
  if (used === 0) throw await revokeReused(context, issued);
}

async function revokeReused({ db, now, address }: TokenContext, { grantId }: IssuedCode): Promise<ApiError> {
  await revokeGrants(db, { id: grantId }, now, { reason: "code_reused", address });
  return invalidCode();
}

/**
 * Requires the verifier that matches the challenge. Rejects a verifier if the authorization request had no challenge, RFC 9700
 * section 4.8.2.
 */
function verifyCodeVerifier(codeVerifier: string | undefined, codeChallenge: string | null): void {
  if (codeChallenge !== null && codeVerifier === undefined) {
    throw invalidGrant("The code_verifier is missing. The authorization request had a code_challenge.");
  }
  if (codeChallenge === null && codeVerifier !== undefined) {
    throw invalidGrant("The authorization request had no code_challenge. Do not send a code_verifier.");
  }
  if (codeChallenge && codeVerifier && !matchesCodeChallenge(codeVerifier, codeChallenge)) {
    throw invalidGrant("The code_verifier does not match the code_challenge of the authorization request.");
  }
}

function invalidCode(): ApiError {
  return invalidGrant("The authorization code is expired or invalid. A code works once, within 60 seconds.");
}

function invalidGrant(description: string): ApiError {
  return new ApiError(400, "invalid_grant", description);
}
