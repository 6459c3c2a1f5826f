import type { Scope } from "@parley/contract";
import type { Database } from "@parley/database";
import { grantInForce, revokeGrants } from "@parley/database/accounts";
import { allScopes } from "../oauth/scope.ts";

/** An app that a user gave access, however often. */
export interface ConnectedApp {
  clientId: string;
  name: string;
  since: Date;
  lastUsedAt: Date | null;
  /** All that it may do. */
  scopes: Scope[];
}

/** The apps that have access in a user's name, by name. */
export async function listConnectedApps(db: Database, userId: string, now: Date): Promise<ConnectedApp[]> {
  const grants = await db.oAuthGrant.findMany({
    where: { userId, ...grantInForce(now) },
    include: { client: { select: { name: true } } },
    orderBy: { createdAt: "asc" },
  });
  const apps = Map.groupBy(grants, ({ clientId }) => clientId);
  return [...apps.values()]
    .flatMap((ofApp) => {
      const [first] = ofApp;
      if (!first) return [];
      const { clientId, client, createdAt: since } = first;
      const scopes = allScopes.filter((scope) => ofApp.some((grant) => grant.scopes.includes(scope)));
      return [{ clientId, name: client.name, since, lastUsedAt: latest(ofApp), scopes }];
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

function latest(grants: { lastUsedAt: Date | null }[]): Date | null {
  const times = grants.flatMap(({ lastUsedAt }) => (lastUsedAt ? [lastUsedAt.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

/**
 * Ends every access that a user gave an app, also one that the app has not yet taken up.
 *
 * @returns the app's name; undefined when it had no access
 */
export async function disconnectApp(
  db: Database,
  { userId, clientId, address }: { userId: string; clientId: string; address: string },
  now: Date,
): Promise<string | undefined> {
  const revoked = await revokeGrants(db, { userId, clientId }, now, { reason: "user_request", address });
  if (revoked === 0) return undefined;
  return (await db.oAuthClient.findUnique({ where: { id: clientId } }))?.name;
}
