import type { Operations } from "../../http/handlers.ts";
import { submitAuthorizationForm } from "./authorize/authorization-form.ts";
import { showAuthorizationPage } from "./authorize/authorization-page.ts";
import { tellClient } from "./authorize/authorization-response.ts";
import { authenticateClient } from "./clients/client-authentication.ts";
import { credentialParameters } from "./clients/client-credentials.ts";
import type { OAuthContext } from "./context.ts";
import { authorizationServerMetadata } from "./metadata/metadata.ts";
import { requireParameters } from "./parameters.ts";
import { revokeToken } from "./revoke/revocation.ts";
import { exchange } from "./token/token-endpoint.ts";
import { readTokenRequest } from "./token/token-request.ts";
import { tokenResponse } from "./token/token-response.ts";

type OAuthOperation =
  | "authorize"
  | "submitAuthorization"
  | "exchangeToken"
  | "revokeToken"
  | "getAuthorizationServerMetadata";

/**
 * The authorization server: authorization code grant (RFC 6749 section 4.1) with optional PKCE (RFC 7636), refresh grant
 * (section 6), revocation (RFC 7009), metadata (RFC 8414).
 */
export function oauthOperations(context: OAuthContext): Operations<OAuthOperation> {
  const { db, baseUrl, clock } = context;
  return {
    authorize: (request, reply) =>
      tellClient(reply, 302, baseUrl(), () => showAuthorizationPage(context, request, reply)),

    submitAuthorization: (request, reply) =>
      tellClient(reply, 303, baseUrl(), () => submitAuthorizationForm(context, request, reply)),

    async exchangeToken(request) {
      const tokenRequest = readTokenRequest(request.body, request.headers.authorization);
      const client = await authenticateClient(context, request);
      return tokenResponse(await exchange(context, client, tokenRequest, request.ip), baseUrl());
    },

    async revokeToken(request) {
      requireParameters(request.body, ["token", ...credentialParameters(request.headers.authorization)]);
      const client = await authenticateClient(context, request);
      const { token } = request.body;
      await revokeToken(db, client, token, { now: new Date(clock()), address: request.ip });
      return {};
    },

    getAuthorizationServerMetadata: () => authorizationServerMetadata(baseUrl()),
  };
}
