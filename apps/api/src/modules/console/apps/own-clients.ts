import type { Database, OAuthClient, OAuthClientSecret } from "@parley/database";
import { notFound } from "../../../http/api-error.ts";

/** App that an organization registered, with its secrets. */
export type OwnClient = OAuthClient & { secrets: OAuthClientSecret[] };

export async function listOwnClients(db: Database, organizationId: string): Promise<OAuthClient[]> {
  return db.oAuthClient.findMany({ where: { organizationId }, orderBy: [{ name: "asc" }, { id: "asc" }] });
}

/**
 * Finds an app of the organization.
 *
 * @throws ApiError 404 if the organization has no such app
 */
export async function findOwnClient(db: Database, organizationId: string, id: string): Promise<OwnClient> {
  const client = await db.oAuthClient.findFirst({
    where: { id, organizationId },
    include: { secrets: true },
  });
  if (!client) throw notFound("app");
  return client;
}

/** Counts the users who gave an app access. */
export async function countUsers(db: Database, clientId: string): Promise<number> {
  const users = await db.oAuthGrant.groupBy({ by: ["userId"], where: { clientId, revokedAt: null } });
  return users.length;
}
