import type { ApiError, OAuthError } from "../generated/schema.ts";
import { memberOf } from "../http/member-of.ts";
import { retryAfterOf } from "../http/retry-after.ts";
import type { Known } from "../known.ts";
import * as api from "./api-errors.ts";
import * as oauth from "./oauth-errors.ts";
import { type ErrorDetails, ParleyError } from "./parley-error.ts";
import { UnexpectedResponseError } from "./transport-errors.ts";

/** An error code that the contract documents. */
export type ErrorCode = Known<ApiError["error"] | OAuthError["error"]>;

type ErrorClass<Code> = new (details: ErrorDetails) => ParleyError & { readonly code: Code };

// Typed by ErrorCode, so that a new code in the contract causes a compiler error until it has a class.
const classes: { readonly [Code in ErrorCode | "unexpected_response"]: ErrorClass<Code> } = {
  invalid_request: api.InvalidRequestError,
  unauthorized: api.UnauthorizedError,
  invalid_token: api.InvalidTokenError,
  insufficient_scope: api.InsufficientScopeError,
  plan_required: api.PlanRequiredError,
  not_found: api.NotFoundError,
  rate_limit_exceeded: api.RateLimitExceededError,
  server_error: api.ServerError,
  invalid_client: oauth.InvalidClientError,
  invalid_grant: oauth.InvalidGrantError,
  unsupported_grant_type: oauth.UnsupportedGrantTypeError,
  invalid_scope: oauth.InvalidScopeError,
  unexpected_response: UnexpectedResponseError,
};

/** Returns `error` of an error body; undefined for any other body. */
export function codeOf(body: unknown): string | undefined {
  return textOf(body, "error");
}

function textOf(body: unknown, name: "error" | "error_description"): string | undefined {
  const text = memberOf(body, name);
  return typeof text === "string" ? text : undefined;
}

/**
 * Returns the error for a response. A response without an API error body, for example a proxy's HTML page, is classified
 * by its status: 429, 5xx or unexpected. So a proxy's 404 does not look like a missing record.
 *
 * @param body - parsed JSON, or the text when it is not JSON
 * @param now - current time in milliseconds since 1970, for a `Retry-After` that is a date
 */
export function errorFrom(response: Response, body: unknown, now: number): ParleyError {
  const { status, headers } = response;
  const apiCode = codeOf(body);
  const code = apiCode ?? codeOfStatus(status);
  const ErrorOfCode = Object.hasOwn(classes, code) ? classes[code as keyof typeof classes] : ParleyError;
  return new ErrorOfCode({
    status,
    code,
    description:
      apiCode === undefined
        ? `Unexpected response with status ${status}: ${excerpt(headers, body)}`
        : (textOf(body, "error_description") ?? apiCode),
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterOf(response, apiCode, now),
  });
}

function codeOfStatus(status: number): string {
  if (status === 429) return "rate_limit_exceeded";
  return status >= 500 ? "server_error" : "unexpected_response";
}

function excerpt(headers: Headers, body: unknown): string {
  if (!body) return "empty body";
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return `${headers.get("content-type") ?? "no content type"}: ${text.slice(0, 200)}`;
}
