import { timingSafeEqual } from "node:crypto";
import { type Database, hashToken, type OAuthClient, type OAuthClientSecret } from "@parley/database";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../http/api-error.ts";
import { invalidClient, readCredentials } from "./client-credentials.ts";
import { networkOf } from "./network.ts";
import type { Parameters } from "./parameters.ts";
import { type Throttle, tooManyRequests } from "./throttle.ts";

const failuresPerWindow = 10;

/**
 * RFC 6749 sections 2.3 and 3.2.1: a confidential client must send one of its secrets, also with PKCE; a public client
 * (section 2.1) has none and says who it is.
 *
 * @throws ApiError 400 invalid_request, 401 invalid_client, 429 rate_limit_exceeded
 */
export async function authenticateClient(
  { db, clock, clientThrottle }: { db: Database; clock: () => number; clientThrottle: Throttle },
  request: FastifyRequest,
): Promise<OAuthClient> {
  const body = request.body as Parameters;
  const { clientId, secret, basic } = readCredentials(request.headers.authorization, body);
  const client = await db.oAuthClient.findUnique({ where: { id: clientId }, include: { secrets: true } });
  if (client?.isPublic && secret === undefined) return client;
  if (client?.isPublic) throw invalidClient(basic, "This app is registered without a secret: send none.");
  if (secret === undefined) throw missingSecret(basic);
  if (!client?.secrets.some((known) => isValid(known, hashToken(secret), clock()))) {
    throw await refused(clientThrottle, `${networkOf(request.ip)} ${clientId}`, basic);
  }
  return client;
}

/** Each of several secrets may be used; one that was replaced, until it expires. */
function isValid({ secretHash, expiresAt }: OAuthClientSecret, hash: Uint8Array, now: number): boolean {
  const matches = timingSafeEqual(secretHash, hash);
  return matches && (expiresAt === null || expiresAt.getTime() > now);
}

function missingSecret(basic: boolean): ApiError {
  if (basic) return invalidClient(true);
  return new ApiError(400, "invalid_request", "The parameter client_secret is missing.");
}

/** Secrets are random and long, so nobody guesses one: the right one is never kept waiting for others' failures. */
async function refused(throttle: Throttle, key: string, basic: boolean): Promise<ApiError> {
  const wait = await throttle.attempt([{ key, failures: failuresPerWindow }]);
  if (wait === 0) return invalidClient(basic);
  return tooManyRequests("Too many failed attempts.", wait);
}
