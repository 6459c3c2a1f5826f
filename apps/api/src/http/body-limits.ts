import type { Operation } from "@parley/contract";
import type { FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

/** Largest bodies in bytes. */
export const bodyLimits = {
  /** Before credentials are checked. */
  withoutCredentials: 16 * 1_024,
  /** Of operations that need a token or a platform key, which are checked before the body is read. */
  withCredentials: 1_024 * 1_024,
};

/** Returns the limit of an operation. Forms of signed-in persons can have a larger one in the contract. */
export function bodyLimitOf({ scheme, maxBodyBytes }: Operation): number {
  return maxBodyBytes ?? bodyLimits[scheme ? "withCredentials" : "withoutCredentials"];
}

/**
 * Requires a session for a body that is larger than what a request without credentials may send.
 *
 * @throws ApiError 413
 */
export async function requireSessionForLargeBody(
  request: FastifyRequest,
  hasSession: (request: FastifyRequest) => Promise<boolean>,
): Promise<void> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  const isSmall = encoding === undefined && Number(length ?? 0) <= bodyLimits.withoutCredentials;
  if (!isSmall && !(await hasSession(request))) throw bodyTooLarge(bodyLimits.withoutCredentials);
}

/** @param limit in bytes */
export function bodyTooLarge(limit: number): ApiError {
  const size = limit < 1_048_576 ? `${limit / 1_024} KiB` : `${limit / 1_048_576} MiB`;
  const description = `The body is larger than ${limit.toLocaleString("en")} bytes (${size}).`;
  return new ApiError(413, "invalid_request", description);
}
