import OAuth2Server from "@node-oauth/oauth2-server";
import type { Database, OAuthClient } from "@parley/database";
import { newToken } from "../secrets.ts";
import { findCode, useCode } from "./authorization-code-grant.ts";
import { saveTokens } from "./issue-tokens.ts";
import { translateErrors } from "./library-errors.ts";
import { findRefreshToken, rotateRefreshToken } from "./refresh-token-grant.ts";
import { type GrantContext, libraryClient } from "./token-context.ts";
import type { TokenRequest } from "./token-request.ts";

/**
 * Exchanges a code or a refresh token, RFC 6749 sections 4.1.3 and 6, RFC 7636 section 4.6. The library orders the
 * steps and checks PKCE; client and syntax were checked before, times and scopes are the model's.
 *
 * @throws ApiError 400 invalid_grant or invalid_scope
 */
export async function exchange(
  { db, clock }: { db: Database; clock: () => number },
  client: OAuthClient,
  { grant_type, parameters }: TokenRequest,
  address: string,
): Promise<OAuth2Server.Token> {
  const context = { db, now: new Date(clock()), client: libraryClient(client), parameters, address };
  const server = new OAuth2Server({
    model: tokenModel(context),
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
  });
  const request = new OAuth2Server.Request({
    method: "POST",
    // It takes forms only, and looks for a length to know that there is one.
    headers: { "content-type": "application/x-www-form-urlencoded", "content-length": "1" },
    query: {},
    body: { ...parameters, grant_type, client_id: client.id },
  });
  return translateErrors(() => server.token(request, new OAuth2Server.Response()));
}

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

function tokenModel(context: GrantContext): Model {
  return {
    getClient: async () => context.client,
    getAuthorizationCode: (code) => findCode(context, code),
    revokeAuthorizationCode: (code) => useCode(context, code),
    getRefreshToken: (token) => findRefreshToken(context, token),
    revokeToken: (token) => rotateRefreshToken(context, token),
    generateAccessToken: async () => newToken("at"),
    generateRefreshToken: async () => newToken("rt"),
    async saveToken(token, client, user) {
      const saved = { ...token, client, user };
      await saveTokens(context, saved);
      return saved;
    },
    ...unused,
  };
}

/** What the library's types ask for, but only other endpoints than this one call. */
const unused = {
  getAccessToken: () => Promise.reject(new Error("find-caller.ts authenticates requests")),
  saveAuthorizationCode: () => Promise.reject(new Error("authorization-code.ts issues codes")),
};
