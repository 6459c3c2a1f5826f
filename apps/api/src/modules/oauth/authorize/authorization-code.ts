import { type Database, hashToken, recordAudit } from "@parley/database";
import { auditSubject } from "@parley/database/accounts";
import { codeLifetime } from "../lifetimes.ts";
import { newToken } from "../secrets.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/**
 * Records the user's consent as a grant and issues an authorization code for it, RFC 6749 section 4.1.2. The code is bound to
 * the redirect URI and to the code challenge, RFC 7636 section 4.4.
 *
 * @param address network address of the browser
 */
export async function issueCode(
  { db, clock }: { db: Database; clock: () => number },
  { client, redirectUri, scopes, codeChallenge }: AuthorizationRequest,
  user: SignedInUser,
  address: string,
): Promise<string> {
  const code = newToken("ac");
  const createdAt = new Date(clock());
  const expiresAt = new Date(createdAt.getTime() + codeLifetime);
  const issued = {
    codeHash: hashToken(code),
    redirectUri,
    codeChallenge: codeChallenge ?? null,
    createdAt,
    expiresAt,
  };
  const { id: userId, organizationId } = user;
  const consent = { organizationId, userId, clientId: client.id, scopes, createdAt };
  await db.$transaction(async (tx) => {
    const grant = await tx.oAuthGrant.create({ data: { ...consent, codes: { create: issued } } });
    await recordAudit(tx, {
      event: "consent.granted",
      ...auditSubject(grant),
      address,
      details: { scopes, redirect_uri: redirectUri },
    });
  });
  return code;
}
