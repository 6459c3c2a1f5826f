import { createHash } from "node:crypto";
import { description } from "@parley/contract";
import { type Database, demo, hashToken } from "@parley/database";
import type { Tenant } from "../../src/testing/factories.ts";

const { authorization_code: exchange, refresh_token: renewal } =
  description.paths["/api/oauth/token"].post.requestBody.content["application/json"].examples;

/** Environment variables of the chapters' commands. */
export const chapterVariables = {
  CODE: "parley_ac_of_the_chapter",
  VERIFIER: "the-verifier-of-the-chapter-on-authentication",
  REFRESH_TOKEN: "parley_rt_of_the_chapter",
};
/** Values in the quick start instead of variables. */
const pasted = { code: "parley_ac_paste_yours", accessToken: "parley_at_paste_yours" };

interface App {
  clientId: string;
  secret: string;
  redirectUri: string;
  /** Codes with their PKCE verifiers. */
  codes: [code: string, verifier: string | null][];
  accessToken?: string;
  refreshToken: string;
}

/** Client of the contract's examples, and the demo's client, which the chapters use. */
const apps: App[] = [
  {
    clientId: exchange.value.client_id,
    secret: exchange.value.client_secret,
    redirectUri: exchange.value.redirect_uri,
    codes: [[exchange.value.code, exchange.value.code_verifier]],
    refreshToken: renewal.value.refresh_token,
  },
  {
    clientId: demo.clientId,
    secret: demo.clientSecret,
    redirectUri: demo.redirectUris[0],
    codes: [
      [chapterVariables.CODE, chapterVariables.VERIFIER],
      [pasted.code, null],
    ],
    accessToken: pasted.accessToken,
    refreshToken: chapterVariables.REFRESH_TOKEN,
  },
];

export async function createApps(db: Database): Promise<void> {
  for (const { clientId: id, secret, redirectUri } of apps) {
    const secrets = { create: { secretHash: hashToken(secret) } };
    await db.oAuthClient.create({ data: { id, name: id, redirectUris: [redirectUri], secrets } });
  }
}

/** Restores the codes and tokens. */
export async function renewGrants(db: Database, { organizationId, userId }: Tenant): Promise<void> {
  const scopes = ["leads:read"];
  const expiresAt = new Date(Date.now() + 600_000);
  for (const { clientId, redirectUri, codes, accessToken, refreshToken } of apps) {
    const tokens = [
      { kind: "refresh", token: refreshToken },
      ...(accessToken ? [{ kind: "access", token: accessToken }] : []),
    ];
    await db.oAuthGrant.deleteMany({ where: { clientId } });
    await db.oAuthGrant.create({
      data: {
        organizationId,
        userId,
        clientId,
        scopes,
        codes: {
          create: codes.map(([code, verifier]) => ({
            codeHash: hashToken(code),
            codeChallenge: verifier && createHash("sha256").update(verifier).digest("base64url"),
            redirectUri,
            expiresAt,
          })),
        },
        tokens: {
          create: tokens.map(({ kind, token }) => ({ tokenHash: hashToken(token), kind, scopes, expiresAt })),
        },
      },
    });
  }
}
