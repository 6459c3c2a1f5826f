import type { Scope } from "@parley/contract";
import { ApiError } from "../../../http/api-error.ts";
import { credentialParameters } from "../clients/client-credentials.ts";
import { type Parameters, parameter, requireParameters } from "../parameters.ts";
import { isCodeVerifier } from "../pkce.ts";
import { parseScope } from "../scope.ts";

/** Access token request of the authorization code grant, RFC 6749 section 4.1.3 and RFC 7636 section 4.5. */
export interface AuthorizationCodeRequest {
  grantType: "authorization_code";
  code: string;
  redirectUri: string;
  codeVerifier: string | undefined;
}

/** Refresh request, RFC 6749 section 6. */
export interface RefreshTokenRequest {
  grantType: "refresh_token";
  refreshToken: string;
  /** Scopes of the new access token; undefined for all scopes of the refresh token. */
  scopes: Scope[] | undefined;
}

export type TokenRequest = AuthorizationCodeRequest | RefreshTokenRequest;

/**
 * Parses the parameters of a token request, RFC 6749 sections 4.1.3 and 6. There is no password grant, RFC 9700 section 2.4.
 *
 * @param authorization the `Authorization` header
 * @throws ApiError 400 unsupported_grant_type; 400 invalid_scope; 400 invalid_request that names the parameter
 */
export function readTokenRequest(body: Parameters, authorization: string | undefined): TokenRequest {
  requireParameters(body, ["grant_type"]);
  const required = (name: string) => parameter(body, name) ?? "";
  switch (parameter(body, "grant_type")) {
    case "authorization_code":
      requireParameters(body, ["code", "redirect_uri", ...credentialParameters(authorization)]);
      return {
        grantType: "authorization_code",
        code: requirePrintable("code", required("code")),
        redirectUri: required("redirect_uri"),
        codeVerifier: readCodeVerifier(body),
      };
    case "refresh_token":
      requireParameters(body, ["refresh_token", ...credentialParameters(authorization)]);
      return {
        grantType: "refresh_token",
        refreshToken: requirePrintable("refresh_token", required("refresh_token")),
        scopes: readScopes(body),
      };
    default: {
      const description = "The grant_type must be authorization_code or refresh_token.";
      throw new ApiError(400, "unsupported_grant_type", description);
    }
  }
}

/** Codes and tokens consist of printable ASCII characters, RFC 6749 appendices A.11 and A.17. */
function requirePrintable(name: string, value: string): string {
  if (/^[\x20-\x7E]+$/.test(value)) return value;
  throw new ApiError(
    400,
    "invalid_request",
    `The parameter ${name} must contain only printable ASCII characters.`,
  );
}

function readCodeVerifier(body: Parameters): string | undefined {
  const codeVerifier = parameter(body, "code_verifier");
  if (codeVerifier === undefined || isCodeVerifier(codeVerifier)) return codeVerifier;
  const description = "The code_verifier must have 43 to 128 characters: letters, digits, and - . _ ~";
  throw new ApiError(400, "invalid_request", description);
}

function readScopes(body: Parameters): Scope[] | undefined {
  const scope = parameter(body, "scope");
  if (scope === undefined) return undefined;
  const parsed = parseScope(scope);
  if ("problem" in parsed) throw new ApiError(400, "invalid_scope", parsed.problem);
  return parsed.scopes;
}
