import type { ApiError, OAuthError } from "../generated/schema.ts";
import { memberOf } from "../http/member-of.ts";
import { retryAfterOf } from "../http/retry-after.ts";
import type { Known } from "../known.ts";
import * as api from "./api-errors.ts";
import * as oauth from "./oauth-errors.ts";
import { type ErrorDetails, ParleyError } from "./parley-error.ts";
import { UnexpectedResponseError } from "./transport-errors.ts";

/** Every error code that the contract documents. */
export type ErrorCode = Known<ApiError["error"] | OAuthError["error"]>;

type ErrorClass<Code> = new (details: ErrorDetails) => ParleyError & { readonly code: Code };

// A code that is new in the contract does not compile until it has its class here.
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

/** The code of an error body (specification §7), or undefined when the body is something else. */
export function codeOf(body: unknown): string | undefined {
  return textOf(body, "error");
}

function textOf(body: unknown, name: "error" | "error_description"): string | undefined {
  const text = memberOf(body, name);
  return typeof text === "string" ? text : undefined;
}

/**
 * The error that an answer stands for. An answer without the documented body (a proxy's page, say) is told by its
 * status: 429, 5xx, or else unexpected; a bare 404 is not taken for a missing record.
 *
 * @param body - the parsed JSON, or the text where it is not JSON
 * @param now - milliseconds since 1970, to read a `Retry-After` that is a date
 */
export function errorFrom(response: Response, body: unknown, now: number): ParleyError {
  const { status, headers } = response;
  const told = codeOf(body);
  const code = told ?? codeOfStatus(status);
  const ErrorOfCode = Object.hasOwn(classes, code) ? classes[code as keyof typeof classes] : ParleyError;
  return new ErrorOfCode({
    status,
    code,
    description:
      told === undefined
        ? `The service answered ${status} with ${excerpt(headers, body)}`
        : (textOf(body, "error_description") ?? told),
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterOf(response, told, now),
  });
}

function codeOfStatus(status: number): string {
  if (status === 429) return "rate_limit_exceeded";
  return status >= 500 ? "server_error" : "unexpected_response";
}

function excerpt(headers: Headers, body: unknown): string {
  if (!body) return "an empty body";
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return `${headers.get("content-type") ?? "no content type"}: ${text.slice(0, 200)}`;
}
