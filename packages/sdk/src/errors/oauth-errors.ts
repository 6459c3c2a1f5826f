import { ParleyError } from "./parley-error.ts";

/** Base class of the errors that only the OAuth functions throw. */
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

/**
 * The redirect to your app has no authorization code that you can use. {@link handleCallback} throws this error. `code` is
 * `error` of the redirect (RFC 6749, section 4.1.2.1) or the check that failed:
 *
 * - `access_denied`: the user denied access. Explain why your app needs access, and let the user try again.
 * - `invalid_request`, `invalid_scope`, `unsupported_response_type`: the authorization request is wrong. Correct the
 *   parameter that `description` names.
 * - `state_mismatch`: `state` is missing, occurs twice or is not the state of the user's session. The redirect may be
 *   forged, or the session expired. Start the authorization again.
 * - `issuer_mismatch`: `iss` is missing, occurs twice or is not the issuer (RFC 9207, section 2.4). The redirect may be from
 *   another server. If the public address of your server is not `baseUrl`, pass it as `issuer`.
 * - `missing_code`: the redirect has neither `code` nor `error`, or one of them occurs twice.
 */
export class AuthorizationError extends OAuthError {
  override readonly name: string = "AuthorizationError";
  declare readonly code:
    | "access_denied"
    | "invalid_request"
    | "invalid_scope"
    | "unsupported_response_type"
    | "state_mismatch"
    | "issuer_mismatch"
    | "missing_code"
    | (string & {});
}
