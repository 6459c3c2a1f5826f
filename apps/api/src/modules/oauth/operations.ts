import type { Operations } from "../../http/handlers.ts";
import { submitAuthorizationForm } from "./authorize/authorization-form.ts";
import { showAuthorizationPage } from "./authorize/authorization-page.ts";
import { redirectErrors } from "./authorize/authorization-response.ts";
import type { OAuthContext } from "./context.ts";
import { authorizationServerMetadata } from "./metadata/metadata.ts";
import { handleRevocationRequest } from "./revoke/revocation.ts";
import { handleTokenRequest } from "./token/token-endpoint.ts";

type OAuthOperation =
  | "authorize"
  | "submitAuthorization"
  | "exchangeToken"
  | "revokeToken"
  | "getAuthorizationServerMetadata";

/**
 * Returns the endpoints of the authorization server. It supports the authorization code grant (RFC 6749 section 4.1) with PKCE
 * (RFC 7636), refresh (RFC 6749 section 6), revocation (RFC 7009), metadata (RFC 8414).
 */
export function oauthOperations(context: OAuthContext): Operations<OAuthOperation> {
  const { baseUrl } = context;
  return {
    authorize: (request, reply) =>
      redirectErrors(reply, 302, baseUrl(), () => showAuthorizationPage(context, request, reply)),
    submitAuthorization: (request, reply) =>
      redirectErrors(reply, 303, baseUrl(), () => submitAuthorizationForm(context, request, reply)),
    exchangeToken: (request) => handleTokenRequest(context, request),
    revokeToken: (request) => handleRevocationRequest(context, request),
    getAuthorizationServerMetadata: () => authorizationServerMetadata(baseUrl()),
  };
}
