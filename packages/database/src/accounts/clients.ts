import { randomBytes } from "node:crypto";
import type { Database, Transaction } from "../client.ts";
import type { OAuthClient } from "../generated/client.ts";
import { isUuid } from "../uuid.ts";
import { AccountNotFoundError, rejectProblems } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";
import { newSecret } from "./client-secrets.ts";
import { removeGrants } from "./grants.ts";
import { checkName } from "./names.ts";
import { checkRedirectUris } from "./redirect-uri-rules.ts";

/** Maximum number of apps that an organization can register. */
const maxOwnClients = 100;

interface NewClient {
  name: string;
  redirectUris: string[];
  /** Organization that owns the app; null for an app of the operator, for users of all organizations. */
  organizationId: string | null;
  isPublic: boolean;
}

/**
 * Registers a client.
 *
 * @returns the client, and its secret, which cannot be read again; null for a public client
 * @throws AccountError
 */
export async function createClient(
  db: Database,
  { name, redirectUris, organizationId, isPublic }: NewClient,
  by: Actor,
): Promise<{ client: OAuthClient; secret: string | null }> {
  const normalized = { name: name.trim(), redirectUris: [...new Set(redirectUris)] };
  rejectProblems([checkName(normalized.name), checkRedirectUris(normalized.redirectUris)]);
  const secret = isPublic ? null : newSecret();
  return db.$transaction(async (tx) => {
    if (organizationId !== null) await requireCapacity(tx, organizationId);
    const id = `parley_ci_${randomBytes(12).toString("hex")}`;
    const secrets = secret ? { create: secret.row } : {};
    const client = await tx.oAuthClient.create({
      data: { id, ...normalized, organizationId, isPublic, secrets },
    });
    await recordChange(tx, by, {
      event: "client.created",
      organizationId,
      clientId: id,
      details: { name: normalized.name, redirect_uris: normalized.redirectUris },
    });
    return { client, secret: secret?.value ?? null };
  });
}

/**
 * Checks the maximum number of apps. Locks the organization, so that concurrent registrations do not exceed the
 * maximum.
 */
async function requireCapacity(tx: Transaction, organizationId: string): Promise<void> {
  const found = isUuid(organizationId)
    ? await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid AND deletion_started_at IS NULL
        FOR NO KEY UPDATE`
    : [];
  const message = `No organization ${organizationId} exists.`;
  rejectProblems([found.length === 0 ? { field: "organization", message } : undefined]);
  const full = (await tx.oAuthClient.count({ where: { organizationId } })) >= maxOwnClients;
  const tooMany = `The organization has the maximum of ${maxOwnClients} apps. Delete one first.`;
  rejectProblems([full ? { field: "organization", message: tooMany } : undefined]);
}

/**
 * Updates the given fields of a client.
 *
 * @throws AccountError, AccountNotFoundError
 */
export async function updateClient(
  db: Database,
  id: string,
  { name, redirectUris }: Partial<Pick<OAuthClient, "name" | "redirectUris">>,
  by: Actor,
): Promise<OAuthClient> {
  const change = {
    ...(name !== undefined && { name: name.trim() }),
    ...(redirectUris !== undefined && { redirectUris: [...new Set(redirectUris)] }),
  };
  rejectProblems([
    change.name === undefined ? undefined : checkName(change.name),
    change.redirectUris === undefined ? undefined : checkRedirectUris(change.redirectUris),
  ]);
  return db.$transaction(async (tx) => {
    const [client] = await tx.oAuthClient.updateManyAndReturn({
      where: { id },
      data: { ...change, updatedAt: new Date() },
    });
    if (!client) throw new AccountNotFoundError("client", id);
    const { organizationId } = client;
    const details = {
      ...(change.name !== undefined && { name: change.name }),
      ...(change.redirectUris && { redirect_uris: change.redirectUris }),
    };
    await recordChange(tx, by, { event: "client.updated", organizationId, clientId: id, details });
    return client;
  });
}

/**
 * Deletes a client after revoking all its grants. If interrupted, call it again.
 *
 * @throws AccountNotFoundError
 */
export async function deleteClient(db: Database, id: string, by: Actor): Promise<void> {
  await removeGrants(db, { clientId: id });
  await db.$transaction(async (tx) => {
    const client = await tx.oAuthClient.findUnique({ where: { id } });
    if (!client) throw new AccountNotFoundError("client", id);
    const { name, organizationId } = client;
    await tx.oAuthClient.deleteMany({ where: { id } });
    await recordChange(tx, by, { event: "client.deleted", organizationId, clientId: id, details: { name } });
  });
}
