import { isDatabaseUnavailable } from "@parley/database";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import { unsupportedMediaType } from "./validation.ts";

/**
 * Gives every error the body of specification §7, which is also that of RFC 6749 section 5.2 and RFC 7009 section 2.2.1;
 * what happened inside stays in the log.
 */
export function handleErrors(app: FastifyInstance, sendError: SendError): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(toApiError(error, request), reply));
}

export type SendError = (error: ApiError, reply: FastifyReply) => FastifyReply;

/** The body of specification §7. */
export function sendJsonError(error: ApiError, reply: FastifyReply): FastifyReply {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send({ error: error.code, error_description: error.message });
}

/** Fastify's own refusals, in words that name the fix. */
const refusals: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is larger than 1,048,576 bytes (1 MiB).",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body is not as long as Content-Length says.",
};

function toApiError(error: FastifyError, request: FastifyRequest): ApiError {
  const thrown = unwrapped(error);
  if (thrown instanceof ApiError) return thrown;
  const { code, statusCode = 500, message } = thrown;
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return unsupportedMediaType(request);
  // How a file under /docs is refused is nobody's business.
  if (statusCode === 403) return new ApiError(404, "not_found", "There is nothing here.");
  if (statusCode >= 400 && statusCode < 500) {
    return new ApiError(statusCode, "invalid_request", refusals[code] ?? message);
  }
  if (isDatabaseUnavailable(thrown)) {
    request.log.error({ err: thrown }, "the database is unavailable");
    return new ApiError(503, "server_error", "The service is temporarily unavailable. Retry in a moment.", {
      "retry-after": "5",
    });
  }
  request.log.error({ err: thrown }, "a request failed");
  return new ApiError(
    500,
    "server_error",
    "An internal error occurred. Name the X-Request-Id when you report it.",
  );
}

/** The glue wraps what a security handler throws into one error with a list. */
function unwrapped(error: FastifyError & { errors?: unknown }): FastifyError | ApiError {
  return Array.isArray(error.errors) ? ((error.errors[0] as FastifyError | undefined) ?? error) : error;
}
