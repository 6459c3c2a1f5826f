import { hashToken, recordAudit } from "@parley/database";
import { auditSubject, revokeGrants } from "@parley/database/accounts";
import { ApiError } from "../../../http/api-error.ts";
import type { OperationRequest } from "../../../http/handlers.ts";
import { authenticateClient } from "../clients/client-authentication.ts";
import { credentialParameters } from "../clients/client-credentials.ts";
import type { OAuthContext } from "../context.ts";
import { requireParameters } from "../parameters.ts";

/**
 * Handles a revocation request, RFC 7009 section 2.1. For a refresh token, the whole grant is revoked. For an access
 * token, only this token is revoked. An unknown token is not an error (section 2.2).
 *
 * @throws ApiError 400 invalid_request; 400 invalid_grant for a token of another client; 401 invalid_client; 429
 */
export async function handleRevocationRequest(
  context: OAuthContext,
  request: OperationRequest<"revokeToken">,
): Promise<Record<string, never>> {
  requireParameters(request.body, ["token", ...credentialParameters(request.headers.authorization)]);
  const client = await authenticateClient(context, request);
  const { db, clock } = context;
  const tokenHash = hashToken(request.body.token);
  const found = await db.oAuthToken.findUnique({ where: { tokenHash }, include: { grant: true } });
  if (!found) return {};
  if (found.grant.clientId !== client.id) {
    throw new ApiError(
      400,
      "invalid_grant",
      "The token was issued to another client. Only this client can revoke it.",
    );
  }
  const address = request.ip;
  if (found.kind === "refresh") {
    await revokeGrants(db, { id: found.grantId }, new Date(clock()), { reason: "client_request", address });
    return {};
  }
  await db.$transaction([
    db.oAuthToken.deleteMany({ where: { tokenHash } }),
    recordAudit(db, { event: "token.revoked", ...auditSubject(found.grant), address }),
  ]);
  return {};
}
