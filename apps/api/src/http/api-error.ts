import type { Schemas } from "@parley/contract";
import type { FastifyRequest } from "fastify";
import { knownPath } from "./known-path.ts";
import { pathOf } from "./path-of.ts";

type ErrorBody = Schemas["ApiError"] | Schemas["OAuthError"];

/** Error response. Handlers throw it; the message is the `error_description`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorBody["error"];
  readonly headers: Record<string, string>;
  readonly loggedDescription: string;

  /** @param loggedDescription description for the request log, without anything that the caller sent */
  constructor(
    status: number,
    code: ErrorBody["error"],
    description: string,
    headers = {},
    loggedDescription = description,
  ) {
    super(description);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.loggedDescription = loggedDescription;
  }
}

/**
 * Returns a 400 for one field.
 *
 * @param field path into the request, for example `body/filters/chatbot_id`
 * @param loggedProblem problem for the request log, without anything that the caller sent
 */
export function invalidField(field: string, problem: string, loggedProblem = problem): ApiError {
  const logged = `${knownPath(field)} ${loggedProblem}`;
  return new ApiError(400, "invalid_request", `${field} ${problem}`, {}, logged);
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
  const description = `No route matches ${request.method} ${pathOf(request)}.`;
  return new ApiError(404, "not_found", description, {}, "No route matches.");
}
