import { type Database, hashToken, type OAuthClient, type OAuthGrant, recordAudit } from "@parley/database";
import { auditSubject } from "@parley/database/accounts";
import { accessTokenLifetime, refreshTokenLifetime } from "../lifetimes.ts";
import { newToken } from "../secrets.ts";

/** One token request of an authenticated client. */
export interface TokenContext {
  db: Database;
  now: Date;
  client: Pick<OAuthClient, "id">;
  /** Network address of the client. */
  address: string;
}

/** New token pair in clear text. Parley stores only the hashes. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  /** Scopes of the access token. */
  scopes: string[];
}

/** Creates a token pair and stores its hashes, RFC 6749 section 10.3 and RFC 9700 section 4.9.2. */
export async function issueTokens(
  { db, now, address }: TokenContext,
  event: "token.issued" | "token.refreshed",
  grant: OAuthGrant,
  scopes: { access: string[]; refresh: string[] },
): Promise<IssuedTokens> {
  const [accessToken, refreshToken] = [newToken("at"), newToken("rt")];
  const row = (kind: "access" | "refresh", token: string, lifetime: number) => ({
    tokenHash: hashToken(token),
    kind,
    grantId: grant.id,
    scopes: scopes[kind],
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetime),
  });
  await db.$transaction([
    db.oAuthToken.createMany({
      data: [
        row("access", accessToken, accessTokenLifetime),
        row("refresh", refreshToken, refreshTokenLifetime),
      ],
    }),
    recordAudit(db, { event, ...auditSubject(grant), address, details: { scopes: scopes.access } }),
  ]);
  return { accessToken, refreshToken, scopes: scopes.access };
}
