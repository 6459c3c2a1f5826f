import { randomBytes } from "node:crypto";
import type { Database, Transaction } from "../client.ts";
import { hashToken } from "../credentials.ts";
import type { OAuthClient, OAuthClientSecret } from "../generated/client.ts";
import { NoSuchAccount, refuse } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";

/** How long the old secret of a rotation works on, in milliseconds, unless something else is asked for. */
export const oldSecretLifetime = 24 * 3_600_000;

/** A new client secret of 256 random bits: what is told once, and the row that is kept. */
export function newSecret() {
  const value = `parley_cs_${randomBytes(32).toString("base64url")}`;
  return { value, row: { secretHash: hashToken(value), hint: value.slice(-4) } };
}

/** The secrets that are valid, the newest first. */
export function validSecrets<Secret extends OAuthClientSecret>(secrets: Secret[], now: Date): Secret[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

/**
 * Gives a client a new secret. The old one works on for a while, so that the app can change over without an outage.
 *
 * @param rotation.oldValidForMs milliseconds; 0 ends every old secret at once
 * @returns the new secret, which cannot be read again, and when the old one ends; null when it has ended
 * @throws AccountError while an earlier rotation is under way, so that nothing ends sooner than was said; NoSuchAccount
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
    refuse([isPublic ? { field: "secret", words: "A public client has no secret." } : undefined]);
    const valid = validSecrets(await tx.oAuthClientSecret.findMany({ where: { clientId } }), now);
    const oldExpiresAt =
      valid.length > 0 && oldValidForMs > 0 ? new Date(now.getTime() + oldValidForMs) : null;
    refuse([valid.length > 1 && oldExpiresAt ? rotationUnderWay(valid) : undefined]);

    if (oldExpiresAt)
      await tx.oAuthClientSecret.updateMany({ where: { clientId }, data: { expiresAt: oldExpiresAt } });
    else await tx.oAuthClientSecret.deleteMany({ where: { clientId } });
    await tx.oAuthClientSecret.create({ data: { clientId, ...secret.row, createdAt: now } });
    const details = { hint: secret.row.hint, old_expires_at: oldExpiresAt?.toISOString() ?? null };
    await recordChange(tx, by, { event: "client.secret_rotated", organizationId, clientId, details });
    return { secret: secret.value, oldExpiresAt };
  });
}

function rotationUnderWay(valid: OAuthClientSecret[]) {
  const old = valid.at(-1);
  const words = `Two secrets are valid already, the old one (…${old?.hint}) until ${old?.expiresAt?.toISOString()}: remove it first.`;
  return { field: "oldSecret" as const, words };
}

/**
 * Ends every secret but the newest.
 *
 * @returns how many that were
 * @throws NoSuchAccount
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

/** Of two changes of a client's secrets, one waits for the other. */
async function lockClient(tx: Transaction, id: string): Promise<OAuthClient> {
  await tx.$queryRaw`SELECT 1 FROM oauth_clients WHERE id = ${id} FOR UPDATE`;
  const client = await tx.oAuthClient.findUnique({ where: { id } });
  if (!client) throw new NoSuchAccount("client", id);
  return client;
}
