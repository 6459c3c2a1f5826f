import { ParleyError } from "./parley-error.ts";

/**
 * 400, 405, 413 or 415 `invalid_request`: the request is invalid. `description` says which parameter or field is wrong
 * and which values are accepted. The OAuth endpoints also return this error.
 */
export class InvalidRequestError extends ParleyError {
  override readonly name: string = "InvalidRequestError";
  declare readonly code: "invalid_request";
}

/** 401 `unauthorized`: the `Authorization` header is missing or malformed. */
export class UnauthorizedError extends ParleyError {
  override readonly name: string = "UnauthorizedError";
  declare readonly code: "unauthorized";
}

/**
 * 401 `invalid_token`: the access token is expired or invalid. Either the client has no refresh token, or the API also
 * rejected the new access token after a refresh. For {@link ParleyPlatform}: the platform key is unknown.
 */
export class InvalidTokenError extends ParleyError {
  override readonly name: string = "InvalidTokenError";
  declare readonly code: "invalid_token";
}

/** 403 `insufficient_scope`: the access token does not have the scope that `description` names. */
export class InsufficientScopeError extends ParleyError {
  override readonly name: string = "InsufficientScopeError";
  declare readonly code: "insufficient_scope";
}

/** 403 `plan_required`: the organization is not on a paid plan. */
export class PlanRequiredError extends ParleyError {
  override readonly name: string = "PlanRequiredError";
  declare readonly code: "plan_required";
}

/** 404 `not_found`: the organization has no record with this ID, or no route matches the path. */
export class NotFoundError extends ParleyError {
  override readonly name: string = "NotFoundError";
  declare readonly code: "not_found";
}

/** 429 `rate_limit_exceeded`: the rate limit is exceeded. Retry after `retryAfter` seconds. */
export class RateLimitExceededError extends ParleyError {
  override readonly name: string = "RateLimitExceededError";
  declare readonly code: "rate_limit_exceeded";
}

/** 5xx `server_error`: the server, or a proxy in front of it, failed. */
export class ServerError extends ParleyError {
  override readonly name: string = "ServerError";
  declare readonly code: "server_error";
}
