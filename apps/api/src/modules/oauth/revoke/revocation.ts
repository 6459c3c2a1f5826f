import { type Database, hashToken, type OAuthClient, recordAudit } from "@parley/database";
import { auditSubject, revokeGrant } from "@parley/database/accounts";
import { ApiError } from "../../../http/api-error.ts";

/**
 * RFC 7009 section 2.1: a refresh token ends the whole grant, an access token itself alone. An unknown token does not
 * work either, so there is nothing to complain about.
 *
 * @throws ApiError 400 invalid_grant when the token is another client's
 */
export async function revokeToken(
  db: Database,
  client: OAuthClient,
  token: string,
  { now, address }: { now: Date; address: string },
): Promise<void> {
  const tokenHash = hashToken(token);
  const row = await db.oAuthToken.findUnique({ where: { tokenHash }, include: { grant: true } });
  if (!row) return;
  if (row.grant.clientId !== client.id) {
    throw new ApiError(400, "invalid_grant", "The token was issued to another client.");
  }
  if (row.kind === "refresh") {
    await revokeGrant(db, row.grantId, now, { reason: "client_request", address });
    return;
  }
  await db.$transaction([
    db.oAuthToken.deleteMany({ where: { tokenHash } }),
    recordAudit(db, { event: "token.revoked", ...auditSubject(row.grant), address }),
  ]);
}
