import { ApiError } from "../../../http/api-error.ts";
import { credentialParameters } from "../clients/client-credentials.ts";
import { type Parameters, parameter, requireParameters } from "../parameters.ts";
import { isCodeVerifier } from "../pkce.ts";
import { parseScope } from "../scope.ts";

/** A well-formed token request, RFC 6749 sections 4.1.3 and 6. */
export interface TokenRequest {
  grant_type: GrantType;
  /** The parameters of the grant type alone; what was sent empty is gone, a scope is in its normal form. */
  parameters: Record<string, string>;
}

type GrantType = "authorization_code" | "refresh_token";

const grantTypes: Record<GrantType, { required: string[]; optional: string[] }> = {
  authorization_code: { required: ["code", "redirect_uri"], optional: ["code_verifier"] },
  refresh_token: { required: ["refresh_token"], optional: ["scope"] },
};

/** @throws ApiError 400: unsupported_grant_type, invalid_scope, invalid_request that names what is wrong */
export function readTokenRequest(body: Parameters, authorization: string | undefined): TokenRequest {
  requireParameters(body, ["grant_type"]);
  const grantType = parameter(body, "grant_type") ?? "";
  if (!isSupported(grantType)) {
    const description = "The grant_type must be authorization_code or refresh_token.";
    throw new ApiError(400, "unsupported_grant_type", description);
  }
  const { required, optional } = grantTypes[grantType];
  requireParameters(body, [...required, ...credentialParameters(authorization)]);

  const parameters: Record<string, string> = {};
  for (const name of [...required, ...optional]) {
    const value = parameter(body, name);
    if (value !== undefined) parameters[name] = checked(name, value);
  }
  return { grant_type: grantType, parameters };
}

function isSupported(grantType: string): grantType is GrantType {
  return Object.hasOwn(grantTypes, grantType);
}

function checked(name: string, value: string): string {
  if (name === "code_verifier" && !isCodeVerifier(value)) {
    const description = "The code_verifier must be 43 to 128 letters, digits or any of - . _ ~";
    throw new ApiError(400, "invalid_request", description);
  }
  if (name !== "scope") return value;
  const parsed = parseScope(value);
  if ("problem" in parsed) throw new ApiError(400, "invalid_scope", parsed.problem);
  return parsed.scopes.join(" ");
}
