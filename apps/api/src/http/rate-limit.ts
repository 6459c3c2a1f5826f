import rateLimit from "@fastify/rate-limit";
import { requestsPerMinute } from "@parley/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Redis } from "ioredis";
import { ApiError } from "./api-error.ts";
import { callerOf } from "./caller.ts";

const windowSeconds = 60;

/** Counts a request; throws ApiError 429 if the organization exceeds its plan's requests per minute. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Creates a counter with a fixed window of 60 s per organization. The plan sets the limit. The counts are in this
 * process, or in Redis for all processes. While Redis is unavailable, requests are not limited, so that the API
 * continues to work.
 */
export async function createRequestCounter(
  app: FastifyInstance,
  redis: Redis | undefined,
): Promise<CountRequest> {
  await app.register(rateLimit, {
    global: false,
    cache: 10_000,
    nameSpace: "parley-rate-",
    skipOnError: true,
    ...(redis && { redis }),
  });
  const count = app.createRateLimit({
    timeWindow: windowSeconds * 1_000,
    keyGenerator: (request) => callerOf(request).organizationId,
    max: (request) => requestsPerMinute[callerOf(request).plan] ?? 0,
  });

  return async (request, reply) => {
    const result = await count(request);
    if (result.isAllowed) return;
    const { max, remaining, ttlInSeconds } = result;
    reply.headers({
      "x-ratelimit-limit": max,
      "x-ratelimit-remaining": remaining,
      "x-ratelimit-reset": ttlInSeconds,
      // Structured fields (RFC 9651) of draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
      ratelimit: `"plan";r=${remaining};t=${ttlInSeconds}`,
      "ratelimit-policy": `"plan";q=${max};w=${windowSeconds}`,
    });
    if (result.isExceeded) {
      throw new ApiError(429, "rate_limit_exceeded", "Rate limit exceeded. Retry after 60 seconds.", {
        "retry-after": String(ttlInSeconds),
      });
    }
  };
}
