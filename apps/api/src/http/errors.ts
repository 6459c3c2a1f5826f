import { isDatabaseUnavailable, isStatementCanceled } from "@parley/database";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { bodyLimits, bodyTooLarge } from "./body-limits.ts";
import { unsupportedMediaType } from "./validation.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Error that the response has; null for other responses. */
    error: ApiError | null;
  }
}

/**
 * Sends every error in the same format: as JSON with `error` and `error_description` (RFC 6749 section 5.2, RFC 7009
 * section 2.2.1), or as a page. The causes of internal errors are only logged.
 */
export function handleErrors(app: FastifyInstance, sendError: SendError): void {
  app.decorateRequest("error", null);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    request.error = toApiError(error, request);
    return sendError(request.error, reply);
  });
}

export type SendError = (error: ApiError, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Sends an error as JSON with the members `error` and `error_description`. */
export function sendJsonError(error: ApiError, reply: FastifyReply): FastifyReply {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send({ error: error.code, error_description: error.message });
}

/** Descriptions of errors that Fastify throws. */
const descriptions: Record<string, string> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The length of the body does not match Content-Length.",
};

function toApiError(error: FastifyError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode = 500, message } = error;
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return unsupportedMediaType(request);
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return bodyTooLarge(request.routeOptions.bodyLimit ?? bodyLimits.withoutCredentials);
  if (statusCode >= 400 && statusCode < 500) {
    const known = descriptions[code];
    return new ApiError(statusCode, "invalid_request", known ?? message, {}, known ?? code);
  }
  if (isDatabaseUnavailable(error)) {
    request.log.error({ err: error }, "database unavailable");
    return new ApiError(
      503,
      "server_error",
      "The service is temporarily unavailable. Retry after 5 seconds.",
      {
        "retry-after": "5",
      },
    );
  }
  if (isStatementCanceled(error)) {
    request.log.error({ err: error }, "statement took too long");
    return new ApiError(
      503,
      "server_error",
      "The request took too long and was stopped. Use fewer or narrower filters, or cursor instead of offset.",
      { "retry-after": "5" },
    );
  }
  request.log.error({ err: error }, "request failed");
  return new ApiError(
    500,
    "server_error",
    "An internal error occurred. Include the X-Request-Id when you report this error.",
  );
}
