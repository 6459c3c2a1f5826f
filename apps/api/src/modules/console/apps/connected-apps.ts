import type { Scope } from "@parley/contract";
import type { Database } from "@parley/database";
import { activeGrant, revokeGrants } from "@parley/database/accounts";
import { disableSubscriptionsCreatedBy, type WebhookChoice } from "@parley/webhooks";
import { allScopes } from "../../oauth/scope.ts";
import type { CreatedWebhook } from "./pages/webhook-choice.ts";

/** App to which a user gave access, with all its grants combined. */
export interface ConnectedApp {
  clientId: string;
  name: string;
  since: Date;
  lastUsedAt: Date | null;
  /** Scopes of all its grants. */
  scopes: Scope[];
  /** Enabled webhooks that it created for the user. */
  webhooks: CreatedWebhook[];
}

/** Returns the apps to which a user gave access, sorted by name. */
export async function listConnectedApps(db: Database, userId: string, now: Date): Promise<ConnectedApp[]> {
  const grants = await db.oAuthGrant.findMany({
    where: { userId, ...activeGrant(now) },
    include: { client: { select: { name: true } } },
    orderBy: { createdAt: "asc" },
  });
  const apps = Map.groupBy(grants, ({ clientId }) => clientId);
  const created = await db.subscription.findMany({
    where: { userId, clientId: { in: [...apps.keys()] }, enabled: true },
    select: { id: true, targetUrl: true, clientId: true },
    orderBy: { createdAt: "asc" },
  });
  return [...apps.values()]
    .flatMap((ofApp) => {
      const [first] = ofApp;
      if (!first) return [];
      const { clientId, client, createdAt: since } = first;
      const webhooks = created.filter((webhook) => webhook.clientId === clientId);
      const scopes = allScopes.filter((scope) => ofApp.some((grant) => grant.scopes.includes(scope)));
      return [{ clientId, name: client.name, since, lastUsedAt: latest(ofApp), scopes, webhooks }];
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

function latest(grants: { lastUsedAt: Date | null }[]): Date | null {
  const times = grants.flatMap(({ lastUsedAt }) => (lastUsedAt ? [lastUsedAt.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

/**
 * Revokes all grants of a user to an app, including those whose code is not exchanged yet, and disables the webhooks that the app created for
 * the user, unless they are kept.
 *
 * @returns the app's name; undefined if it had no access
 */
export async function disconnectApp(
  db: Database,
  { userId, clientId, address }: { userId: string; clientId: string; address: string },
  now: Date,
  webhooks: WebhookChoice,
): Promise<string | undefined> {
  const revoked = await revokeGrants(db, { userId, clientId }, now, { reason: "user_request", address });
  if (revoked === 0) return undefined;
  if (webhooks === "disable")
    await disableSubscriptionsCreatedBy(db, { userId, clientId }, { userId, address });
  return (await db.oAuthClient.findUnique({ where: { id: clientId } }))?.name;
}
