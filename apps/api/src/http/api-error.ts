import type { Schemas } from "@parley/contract";
import type { FastifyRequest } from "fastify";
import { pathOf } from "./path-of.ts";

type ErrorBody = Schemas["ApiError"] | Schemas["OAuthError"];

/** Error response. Handlers throw it; the message is the `error_description`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorBody["error"];
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorBody["error"], description: string, headers = {}) {
    super(description);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * Returns a 400 for one field.
 *
 * @param field path into the request, for example `body/filters/chatbot_id`
 */
export function invalidField(field: string, problem: string): ApiError {
  return new ApiError(400, "invalid_request", `${field} ${problem}`);
}

/**
 * Returns a 404. The error for a record of another organization is the same, so that it does not reveal whether the
 * record exists.
 */
export function notFound(kind: string): ApiError {
  return new ApiError(404, "not_found", `No ${kind} with this ID exists.`);
}

/** Returns the 404 for a path without a route. */
export function noRoute(request: Pick<FastifyRequest, "method" | "url">): ApiError {
  return new ApiError(404, "not_found", `No route matches ${request.method} ${pathOf(request)}.`);
}
