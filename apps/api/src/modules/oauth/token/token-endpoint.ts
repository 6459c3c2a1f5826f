import type { Schemas } from "@parley/contract";
import type { OperationRequest } from "../../../http/handlers.ts";
import { authenticateClient } from "../clients/client-authentication.ts";
import type { OAuthContext } from "../context.ts";
import { accessTokenLifetime } from "../lifetimes.ts";
import { exchangeAuthorizationCode } from "./authorization-code-grant.ts";
import type { IssuedTokens, TokenContext } from "./issue-tokens.ts";
import { exchangeRefreshToken } from "./refresh-token-grant.ts";
import { readTokenRequest, type TokenRequest } from "./token-request.ts";

/**
 * Handles a token request, RFC 6749 section 3.2: checks its syntax, authenticates the client, then exchanges the grant.
 *
 * @throws ApiError 400 with an error code of RFC 6749 section 5.2; 401 invalid_client; 429
 */
export async function handleTokenRequest(
  context: OAuthContext,
  request: OperationRequest<"exchangeToken">,
): Promise<Schemas["TokenResponse"]> {
  const tokenRequest = readTokenRequest(request.body, request.headers.authorization);
  const client = await authenticateClient(context, request);
  const { db, clock, baseUrl } = context;
  const tokens = await exchange({ db, now: new Date(clock()), client, address: request.ip }, tokenRequest);
  return tokenResponse(tokens, baseUrl());
}

function exchange(context: TokenContext, request: TokenRequest) {
  return request.grantType === "authorization_code"
    ? exchangeAuthorizationCode(context, request)
    : exchangeRefreshToken(context, request);
}

/** Returns the response body of RFC 6749 section 5.1 with `api_base_url`, the same for both grants. */
function tokenResponse(
  { accessToken, refreshToken, scopes }: IssuedTokens,
  apiBaseUrl: string,
): Schemas["TokenResponse"] {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: "Bearer",
    expires_in: accessTokenLifetime / 1000,
    scope: scopes.join(" "),
    api_base_url: apiBaseUrl,
  };
}
