import type { Token } from "@node-oauth/oauth2-server";
import { hashToken, recordAudit } from "@parley/database";
import { auditSubject } from "@parley/database/accounts";
import { accessTokenLifetime, refreshTokenLifetime } from "../lifetimes.ts";
import type { GrantContext, GrantedAccess } from "./token-context.ts";

/**
 * Stores a pair by hash. A refresh may ask for fewer scopes: that narrows the access token alone, the new refresh
 * token keeps the scopes of the one it replaces, RFC 6749 section 6.
 */
export async function saveTokens(
  { db, now, parameters, address }: Pick<GrantContext, "db" | "now" | "parameters" | "address">,
  token: Token,
): Promise<void> {
  const { grant, refreshScopes } = token.user as GrantedAccess;
  const scopes = token.scope ?? [];
  const row = (kind: string, value: string, scopes: string[], lifetime: number) => ({
    tokenHash: hashToken(value),
    kind,
    grantId: grant.id,
    scopes,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetime),
  });
  const event = parameters["refresh_token"] === undefined ? "token.issued" : "token.refreshed";
  await db.$transaction([
    db.oAuthToken.createMany({
      data: [
        row("access", token.accessToken, scopes, accessTokenLifetime),
        row("refresh", token.refreshToken ?? "", refreshScopes, refreshTokenLifetime),
      ],
    }),
    recordAudit(db, { event, ...auditSubject(grant), address, details: { scopes } }),
  ]);
}
