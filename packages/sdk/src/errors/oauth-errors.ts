import { ParleyError } from "./parley-error.ts";

/** Base of the token endpoint's own errors (specification §5.5). */
export class OAuthError extends ParleyError {
  override readonly name: string = "OAuthError";
}

/** The `client_id` or the `client_secret` is wrong. */
export class InvalidClientError extends OAuthError {
  override readonly name: string = "InvalidClientError";
  declare readonly code: "invalid_client";
}

/** The authorization code or the refresh token is expired, used or invalid: the user has to authorize again. */
export class InvalidGrantError extends OAuthError {
  override readonly name: string = "InvalidGrantError";
  declare readonly code: "invalid_grant";
}

/** The service does not know this grant type. */
export class UnsupportedGrantTypeError extends OAuthError {
  override readonly name: string = "UnsupportedGrantTypeError";
  declare readonly code: "unsupported_grant_type";
}

/** A requested scope is invalid. */
export class InvalidScopeError extends OAuthError {
  override readonly name: string = "InvalidScopeError";
  declare readonly code: "invalid_scope";
}
