import OAuth2Server from "@node-oauth/oauth2-server";
import { type Database, hashToken, recordAudit } from "@parley/database";
import { auditSubject } from "@parley/database/accounts";
import { isRegistered } from "../clients/redirect-uri.ts";
import { codeLifetime } from "../lifetimes.ts";
import { newToken } from "../secrets.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { translateErrors } from "../token/library-errors.ts";
import { libraryClient } from "../token/token-context.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/**
 * Records what the user agreed to and issues a code for it, RFC 6749 section 4.1.2. The answer to the browser is
 * ours: the library's knows no `iss` and loses the query of a redirect URI.
 */
export async function issueCode(
  { db, clock }: { db: Database; clock: () => number },
  request: AuthorizationRequest,
  user: SignedInUser,
  address: string,
): Promise<string> {
  const server = new OAuth2Server({
    model: authorizationModel({ db, now: new Date(clock()), address }, request, user),
  });
  const { client, redirectUri, scopes, codeChallenge } = request;
  const query = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    ...(codeChallenge && { code_challenge: codeChallenge, code_challenge_method: "S256" }),
  };
  const code = await translateErrors(() =>
    server.authorize(
      new OAuth2Server.Request({ method: "GET", headers: {}, query }),
      new OAuth2Server.Response(),
      { allowEmptyState: true, authenticateHandler: { handle: () => user } },
    ),
  );
  return code.authorizationCode;
}

function authorizationModel(
  { db, now, address }: { db: Database; now: Date; address: string },
  { client, redirectUri, scopes, codeChallenge }: AuthorizationRequest,
  user: SignedInUser,
): OAuth2Server.AuthorizationCodeModel {
  return {
    getClient: async () => libraryClient(client),
    validateRedirectUri: async (uri) => isRegistered(uri, client.redirectUris),
    generateAuthorizationCode: async () => newToken("ac"),
    async saveAuthorizationCode(code) {
      const issued = {
        codeHash: hashToken(code.authorizationCode),
        redirectUri,
        codeChallenge: codeChallenge ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + codeLifetime),
      };
      const { id: userId, organizationId } = user;
      const consent = { organizationId, userId, clientId: client.id, scopes, createdAt: now };
      await db.$transaction(async (tx) => {
        const grant = await tx.oAuthGrant.create({ data: { ...consent, codes: { create: issued } } });
        await recordAudit(tx, {
          event: "consent.granted",
          ...auditSubject(grant),
          address,
          details: { scopes, redirect_uri: redirectUri },
        });
      });
      return { ...code, client: libraryClient(client), user };
    },
    ...unused,
  };
}

const elsewhere = () => Promise.reject(new Error("token-endpoint.ts exchanges codes"));
/** What the library's types ask for, but only other endpoints than this one call. */
const unused = {
  getAuthorizationCode: elsewhere,
  revokeAuthorizationCode: elsewhere,
  saveToken: elsewhere,
  getAccessToken: elsewhere,
};
