import { ParleyError } from "./parley-error.ts";

/** 400: the request did not pass validation; `description` names the field. Also of the token endpoint. */
export class InvalidRequestError extends ParleyError {
  override readonly name: string = "InvalidRequestError";
  declare readonly code: "invalid_request";
}

/** 401: the `Authorization` header is missing or malformed. */
export class UnauthorizedError extends ParleyError {
  override readonly name: string = "UnauthorizedError";
  declare readonly code: "unauthorized";
}

/** 401: the access token is expired or invalid, and there was no refresh token, or the new one was refused too. */
export class InvalidTokenError extends ParleyError {
  override readonly name: string = "InvalidTokenError";
  declare readonly code: "invalid_token";
}

/** 403: the token lacks the scope that the operation needs. */
export class InsufficientScopeError extends ParleyError {
  override readonly name: string = "InsufficientScopeError";
  declare readonly code: "insufficient_scope";
}

/** 403: the organization is not on a paid plan. */
export class PlanRequiredError extends ParleyError {
  override readonly name: string = "PlanRequiredError";
  declare readonly code: "plan_required";
}

/** 404: there is no such record. */
export class NotFoundError extends ParleyError {
  override readonly name: string = "NotFoundError";
  declare readonly code: "not_found";
}

/** 429: the rate limit is exceeded; `retryAfter` says for how long. */
export class RateLimitExceededError extends ParleyError {
  override readonly name: string = "RateLimitExceededError";
  declare readonly code: "rate_limit_exceeded";
}

/** 5xx: the service, or something in front of it, failed. */
export class ServerError extends ParleyError {
  override readonly name: string = "ServerError";
  declare readonly code: "server_error";
}
