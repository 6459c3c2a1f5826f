import type { Token } from "@node-oauth/oauth2-server";
import { type Database, hashToken } from "@parley/database";
import { accessTokenLifetime, refreshTokenLifetime } from "./lifetimes.ts";

/**
 * Stores a pair by hash. A refresh may ask for fewer scopes: that narrows the access token alone, the new refresh
 * token keeps the scopes of the one it replaces, RFC 6749 section 6.
 */
export async function saveTokens(db: Database, now: Date, token: Token): Promise<void> {
  const { grantId, refreshScopes } = token.user as { grantId: string; refreshScopes: string[] };
  const row = (kind: string, value: string, scopes: string[], lifetime: number) => ({
    tokenHash: hashToken(value),
    kind,
    grantId,
    scopes,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetime),
  });
  await db.oAuthToken.createMany({
    data: [
      row("access", token.accessToken, token.scope ?? [], accessTokenLifetime),
      row("refresh", token.refreshToken ?? "", refreshScopes, refreshTokenLifetime),
    ],
  });
}
