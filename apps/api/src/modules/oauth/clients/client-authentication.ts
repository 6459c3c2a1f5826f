import { timingSafeEqual } from "node:crypto";
import {
  type Database,
  hashToken,
  type OAuthClient,
  type OAuthClientSecret,
  recordAudit,
} from "@parley/database";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../../http/api-error.ts";
import type { Parameters } from "../parameters.ts";
import { networkOf } from "../sessions/network.ts";
import { type Throttle, tooManyRequests } from "../sessions/throttle.ts";
import { invalidClient, readCredentials } from "./client-credentials.ts";

const failuresPerWindow = 10;

/**
 * Authenticates the client of a request, RFC 6749 sections 2.3 and 3.2.1, RFC 7009 section 2.1, RFC 8252 section 8.5,
 * RFC 9700 section 2.5. A confidential client must send one of its secrets, even with PKCE. A public client (section
 * 2.1) sends only its ID. Failures are throttled, but a correct secret is always accepted, because secrets are too long
 * to be guessed, and failures of others must not block the client.
 *
 * @throws ApiError 400 invalid_request, 401 invalid_client, 429 rate_limit_exceeded
 */
export async function authenticateClient(
  { db, clock, clientThrottle: throttle }: { db: Database; clock: () => number; clientThrottle: Throttle },
  request: FastifyRequest,
): Promise<OAuthClient> {
  const body = request.body as Parameters;
  const { clientId, secret, basic } = readCredentials(request.headers.authorization, body);
  const client = await db.oAuthClient.findUnique({ where: { id: clientId }, include: { secrets: true } });
  if (client?.isPublic && secret === undefined) return client;
  if (client?.isPublic)
    throw invalidClient(basic, "This app is a public client. Do not send a client_secret.");
  if (secret === undefined) throw missingSecret(basic);
  if (!client?.secrets.some((known) => isValid(known, hashToken(secret), clock()))) {
    const wait = await throttle.attempt([
      { key: `${networkOf(request.ip)} ${clientId}`, failures: failuresPerWindow },
    ]);
    if (wait === 0) throw invalidClient(basic);
    await recordThrottled({ db, throttle }, client, request.ip);
    throw tooManyRequests("Too many failed attempts.", wait);
  }
  return client;
}

/** Records throttling once per window and network, so that the audit log cannot be flooded. Client IDs contain no NUL. */
async function recordThrottled(
  { db, throttle }: { db: Database; throttle: Throttle },
  client: OAuthClient | null,
  address: string,
): Promise<void> {
  const key = `throttled\0${networkOf(address)}`;
  if ((await throttle.attempt([{ key, failures: 1 }])) > 0) return;
  const { id: clientId, organizationId } = client ?? {};
  await recordAudit(db, { event: "client.authentication_throttled", clientId, organizationId, address });
}

/** Compares a secret in constant time. A replaced secret is valid until it expires. */
function isValid({ secretHash, expiresAt }: OAuthClientSecret, hash: Uint8Array, now: number): boolean {
  const matches = timingSafeEqual(secretHash, hash);
  return matches && (expiresAt === null || expiresAt.getTime() > now);
}

function missingSecret(basic: boolean): ApiError {
  if (basic) return invalidClient(true);
  return new ApiError(400, "invalid_request", "The parameter client_secret is missing.");
}
