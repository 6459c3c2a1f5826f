import type { Plan, Scope } from "@parley/contract";
import { type Database, hashToken } from "@parley/database";
import type { Caller } from "../../http/caller.ts";
import type { FindCaller } from "../../http/security.ts";

type Row = Omit<Caller, "plan" | "scopes"> & { plan: string; scopes: string[] };

/** Every request asks this, so it is one statement: unexpired access tokens of unrevoked grants. */
export function createFindCaller(db: Database, clock: () => number = Date.now): FindCaller {
  return async (accessToken) => {
    const [row] = await db.$queryRaw<Row[]>`
      SELECT g.organization_id AS "organizationId", o.name AS "organizationName", o.plan,
             g.user_id AS "userId", g.client_id AS "clientId", g.id AS "grantId", t.scopes
      FROM oauth_tokens t
      JOIN oauth_grants g ON g.id = t.grant_id
      JOIN organizations o ON o.id = g.organization_id
      WHERE t.token_hash = ${hashToken(accessToken)} AND t.kind = 'access'
        AND t.expires_at > ${new Date(clock())} AND g.revoked_at IS NULL`;
    return row ? { ...row, plan: row.plan as Plan, scopes: row.scopes as Scope[] } : null;
  };
}
