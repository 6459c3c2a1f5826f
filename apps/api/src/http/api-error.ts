import type { Schemas } from "@parley/contract";

type ErrorBody = Schemas["ApiError"] | Schemas["OAuthError"];

/** An answer of specification §7 (or §5.5) that a handler gives by throwing it. */
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

/** 400: `field` is written as a path into the request, for example `body/filters/chatbot_id`. */
export function invalidField(field: string, problem: string): ApiError {
  return new ApiError(400, "invalid_request", `${field} ${problem}`);
}

/** 404, also for another organization's record: nobody learns that it exists. */
export function notFound(kind: string): ApiError {
  return new ApiError(404, "not_found", `There is no such ${kind}.`);
}
