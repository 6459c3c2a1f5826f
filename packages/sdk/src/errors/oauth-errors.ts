import { ParleyError } from "./parley-error.ts";

/** Base class of the errors that only the OAuth endpoints return (RFC 6749, section 5.2). */
export class OAuthError extends ParleyError {
  override readonly name: string = "OAuthError";
}

/** 401 `invalid_client`: the client ID or the client secret is wrong. */
export class InvalidClientError extends OAuthError {
  override readonly name: string = "InvalidClientError";
  declare readonly code: "invalid_client";
}

/**
 * 400 `invalid_grant`: the authorization code or refresh token is expired, used or invalid, or the redirect URI or PKCE
 * verifier does not match. The user must authorize again.
 */
export class InvalidGrantError extends OAuthError {
  override readonly name: string = "InvalidGrantError";
  declare readonly code: "invalid_grant";
}

/** 400 `unsupported_grant_type`: the token endpoint does not support this grant type. */
export class UnsupportedGrantTypeError extends OAuthError {
  override readonly name: string = "UnsupportedGrantTypeError";
  declare readonly code: "unsupported_grant_type";
}

/** 400 `invalid_scope`: a requested scope does not exist or was not granted. */
export class InvalidScopeError extends OAuthError {
  override readonly name: string = "InvalidScopeError";
  declare readonly code: "invalid_scope";
}
