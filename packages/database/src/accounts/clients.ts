import { randomBytes } from "node:crypto";
import type { Database, Transaction } from "../client.ts";
import type { OAuthClient } from "../generated/client.ts";
import { isUuid } from "../uuid.ts";
import { NoSuchAccount, refuse } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";
import { newSecret } from "./client-secrets.ts";
import { removeGrants } from "./grants.ts";
import { checkName } from "./names.ts";
import { checkRedirectUris } from "./redirect-uri-rules.ts";

/** Apps that an organization may register itself. */
const maxOwnClients = 100;

interface NewClient {
  name: string;
  redirectUris: string[];
  /** Whose own app it is; null: the operator's, for the users of every organization. */
  organizationId: string | null;
  isPublic: boolean;
}

/**
 * Registers a client.
 *
 * @returns it, and its secret, which cannot be read again; null for a public client
 * @throws AccountError
 */
export async function createClient(
  db: Database,
  { name, redirectUris, organizationId, isPublic }: NewClient,
  by: Actor,
): Promise<{ client: OAuthClient; secret: string | null }> {
  const tidy = { name: name.trim(), redirectUris: [...new Set(redirectUris)] };
  refuse([checkName(tidy.name), checkRedirectUris(tidy.redirectUris)]);
  const secret = isPublic ? null : newSecret();
  return db.$transaction(async (tx) => {
    if (organizationId !== null) await requireRoom(tx, organizationId);
    const id = `parley_ci_${randomBytes(12).toString("hex")}`;
    const secrets = secret ? { create: secret.row } : {};
    const client = await tx.oAuthClient.create({
      data: { id, ...tidy, organizationId, isPublic, secrets },
    });
    await recordChange(tx, by, {
      event: "client.created",
      organizationId,
      clientId: id,
      details: { name: tidy.name, redirect_uris: tidy.redirectUris },
    });
    return { client, secret: secret?.value ?? null };
  });
}

/** Locks the organization, so that two registrations at once do not exceed the limit together. */
async function requireRoom(tx: Transaction, organizationId: string): Promise<void> {
  const found = isUuid(organizationId)
    ? await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid AND deletion_started_at IS NULL
        FOR NO KEY UPDATE`
    : [];
  const words = `There is no organization ${organizationId}.`;
  refuse([found.length === 0 ? { field: "organization", words } : undefined]);
  const full = (await tx.oAuthClient.count({ where: { organizationId } })) >= maxOwnClients;
  const tooMany = `An organization has ${maxOwnClients} apps of its own at most; delete one first.`;
  refuse([full ? { field: "organization", words: tooMany } : undefined]);
}

/**
 * Changes what is given, and leaves the rest.
 *
 * @throws AccountError, NoSuchAccount
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
  refuse([
    change.name === undefined ? undefined : checkName(change.name),
    change.redirectUris === undefined ? undefined : checkRedirectUris(change.redirectUris),
  ]);
  return db.$transaction(async (tx) => {
    const [client] = await tx.oAuthClient.updateManyAndReturn({
      where: { id },
      data: { ...change, updatedAt: new Date() },
    });
    if (!client) throw new NoSuchAccount("client", id);
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
 * Deletes a client. Every access that users gave it ends first. Should it be interrupted, it can be called again.
 *
 * @throws NoSuchAccount
 */
export async function deleteClient(db: Database, id: string, by: Actor): Promise<void> {
  await removeGrants(db, { clientId: id });
  await db.$transaction(async (tx) => {
    const client = await tx.oAuthClient.findUnique({ where: { id } });
    if (!client) throw new NoSuchAccount("client", id);
    const { name, organizationId } = client;
    await tx.oAuthClient.deleteMany({ where: { id } });
    await recordChange(tx, by, { event: "client.deleted", organizationId, clientId: id, details: { name } });
  });
}
