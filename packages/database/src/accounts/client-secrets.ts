import { randomBytes } from "node:crypto";
import type { Database, Transaction } from "../client.ts";
import { hashToken } from "../credentials.ts";
import type { OAuthClient, OAuthClientSecret } from "../generated/client.ts";
import { AccountNotFoundError, rejectProblems } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";

/** Default time for which the old secret of a rotation stays valid, in milliseconds. */
export const oldSecretLifetime = 24 * 3_600_000;

/** Creates a client secret of 256 random bits: the value, which is shown once, and the row to store. */
export function newSecret() {
  const value = `parley_cs_${randomBytes(32).toString("base64url")}`;
  return { value, row: { secretHash: hashToken(value), hint: value.slice(-4) } };
}

/** Returns the valid secrets, newest first. */
export function validSecrets<Secret extends OAuthClientSecret>(secrets: Secret[], now: Date): Secret[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

/**
 * Creates a new secret for a client. The old secret stays valid for a while, so that the app can be updated without downtime.
 *
 * @param rotation.oldValidForMs milliseconds; 0 revokes all old secrets immediately
 * @returns the new secret, which cannot be read again, and the expiry of the old one; null if it was revoked
 * @throws AccountError if two secrets are valid, so that no secret expires earlier than announced; AccountNotFoundError
 */
export async function rotateSecret(
  db: Database,
  clientId: string,
  { oldValidForMs, now = new Date() }: { oldValidForMs: number; now?: Date },
  by: Actor,
): Promise<{ secret: string; oldExpiresAt: Date | null }> {
  const secret = newSecret();
  return db.$transaction(async (tx) => {
    const { organizationId, isPublic } = await lockClient(tx, clientId);
    rejectProblems([isPublic ? { field: "secret", message: "A public client has no secret." } : undefined]);
    const valid = validSecrets(await tx.oAuthClientSecret.findMany({ where: { clientId } }), now);
    const oldExpiresAt =
      valid.length > 0 && oldValidForMs > 0 ? new Date(now.getTime() + oldValidForMs) : null;
    rejectProblems([valid.length > 1 && oldExpiresAt ? rotationInProgress(valid) : undefined]);

    if (oldExpiresAt)
      await tx.oAuthClientSecret.updateMany({ where: { clientId }, data: { expiresAt: oldExpiresAt } });
    else await tx.oAuthClientSecret.deleteMany({ where: { clientId } });
    await tx.oAuthClientSecret.create({ data: { clientId, ...secret.row, createdAt: now } });
    const details = { hint: secret.row.hint, old_expires_at: oldExpiresAt?.toISOString() ?? null };
    await recordChange(tx, by, { event: "client.secret_rotated", organizationId, clientId, details });
    return { secret: secret.value, oldExpiresAt };
  });
}

function rotationInProgress(valid: OAuthClientSecret[]) {
  const old = valid.at(-1);
  const message = `Two secrets are already valid. The old secret (…${old?.hint}) is valid until ${old?.expiresAt?.toISOString()}. Revoke the old secret first.`;
  return { field: "oldSecret" as const, message };
}

/**
 * Revokes all secrets except the newest.
 *
 * @returns number of revoked secrets
 * @throws AccountNotFoundError
 */
export async function removeOldSecrets(
  db: Database,
  clientId: string,
  by: Actor,
  now = new Date(),
): Promise<number> {
  return db.$transaction(async (tx) => {
    const { organizationId } = await lockClient(tx, clientId);
    const [, ...old] = validSecrets(await tx.oAuthClientSecret.findMany({ where: { clientId } }), now);
    for (const { secretHash, hint } of old) {
      await tx.oAuthClientSecret.delete({ where: { secretHash } });
      const details = { hint };
      await recordChange(tx, by, { event: "client.secret_removed", organizationId, clientId, details });
    }
    return old.length;
  });
}

/** Locks a client, so that concurrent changes of its secrets run one after the other. */
async function lockClient(tx: Transaction, id: string): Promise<OAuthClient> {
  await tx.$queryRaw`SELECT 1 FROM oauth_clients WHERE id = ${id} FOR UPDATE`;
  const client = await tx.oAuthClient.findUnique({ where: { id } });
  if (!client) throw new AccountNotFoundError("client", id);
  return client;
}
