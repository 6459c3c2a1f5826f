import type { Schemas } from "@parley/contract";
import { allScopes } from "../scope.ts";

/** `none` is the method of public clients, which have no secret. */
const clientAuthentication = ["client_secret_basic", "client_secret_post", "none"];

/**
 * Returns the authorization server metadata, RFC 8414 section 2, RFC 9207 section 3, RFC 9700 sections 2.1.1 and 2.6. The issuer is
 * the root address of the server.
 */
export function authorizationServerMetadata(issuer: string): Schemas["AuthorizationServerMetadata"] {
  return {
    issuer,
    authorization_endpoint: `${issuer}/api/oauth/authorize`,
    token_endpoint: `${issuer}/api/oauth/token`,
    revocation_endpoint: `${issuer}/api/oauth/revoke`,
    service_documentation: `${issuer}/docs`,
    scopes_supported: allScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}
