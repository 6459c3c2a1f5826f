import { timingSafeEqual } from "node:crypto";
import { type Database, hashToken, type OAuthClient } from "@parley/database";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../http/api-error.ts";
import { invalidClient, readCredentials } from "./client-credentials.ts";
import { networkOf } from "./network.ts";
import type { Parameters } from "./parameters.ts";
import type { Limit, Throttle } from "./throttle.ts";

const failuresPerWindow = 10;

/** Secrets are random and long, so nobody guesses one: the right one is never kept waiting for others' failures. */
function refused(throttle: Throttle, limits: Limit[], basic: boolean): ApiError {
  const wait = throttle.blockedFor(limits);
  throttle.fail(limits);
  if (wait === 0) return invalidClient(basic);
  return new ApiError(429, "rate_limit_exceeded", "Too many failed attempts. Retry after 60 seconds.", {
    "retry-after": String(Math.ceil(wait / 1000)),
  });
}

/**
 * RFC 6749 section 3.2.1: every client has a secret and must send it, also with PKCE.
 *
 * @throws ApiError 400 invalid_request, 401 invalid_client, 429 rate_limit_exceeded
 */
export async function authenticateClient(
  { db, clientThrottle }: { db: Database; clientThrottle: Throttle },
  request: FastifyRequest,
): Promise<OAuthClient> {
  const { clientId, secret, basic } = readCredentials(
    request.headers.authorization,
    request.body as Parameters,
  );
  const limits = [{ key: `${networkOf(request.ip)} ${clientId}`, failures: failuresPerWindow }];
  const client = await db.oAuthClient.findUnique({ where: { id: clientId }, include: { secrets: true } });
  const hash = hashToken(secret);
  if (!client?.secrets.some(({ secretHash }) => timingSafeEqual(secretHash, hash))) {
    throw refused(clientThrottle, limits, basic);
  }
  return client;
}
