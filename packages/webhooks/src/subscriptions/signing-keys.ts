import { type Database, isUuid, timeNow } from "@parley/database";
import { notifySigningKeyChanged } from "../notifications.ts";
import type { Change } from "../publish/publisher.ts";
import type { SecretBox } from "../secret-box.ts";
import { createSigningKey, type SigningKey } from "../signing-key.ts";

/** Time between the publication of a new key and its first signature, and between the last signature of a key and its removal. */
const overlapMs = 24 * 3_600_000;

type KeyChange = Pick<Change, "tx" | "organizationId">;

/**
 * Creates the organization's signing key if it has none. Locks the organization until the end of the change, so that concurrent changes
 * create one key, and a rotation notifies the workers of every subscription that opts in.
 */
export async function ensureSigningKey(change: KeyChange, secretBox: SecretBox): Promise<void> {
  const now = await lockOrganization(change);
  const { tx, organizationId } = change;
  const latest = await tx.organizationSigningKey.findFirst({
    where: { organizationId, publishedUntil: null },
  });
  if (!latest) await insertKey(change, secretBox, now);
}

/**
 * Creates a new signing key and notifies the workers. The new key signs after 24 hours, and the old key is published for 24 hours after
 * that. With `immediately`, the new key signs immediately, and all other keys are removed.
 *
 * @returns the key; null if the organization has no key yet
 */
export async function rotateSigningKey(
  change: KeyChange,
  secretBox: SecretBox,
  immediately: boolean,
): Promise<{ id: string; signsFrom: Date } | null> {
  const now = await lockOrganization(change);
  const { tx, organizationId } = change;
  const latest = await tx.organizationSigningKey.findFirst({
    where: { organizationId, publishedUntil: null },
  });
  if (!latest) return null;
  const signsFrom = immediately ? now : new Date(now.getTime() + overlapMs);
  const unused = immediately ? {} : { signsFrom: { gt: now } };
  await tx.organizationSigningKey.deleteMany({ where: { organizationId, ...unused } });
  const [current] = await tx.organizationSigningKey.findMany({
    where: { organizationId },
    orderBy: { signsFrom: "desc" },
    take: 1,
  });
  if (current) {
    const publishedUntil = new Date(signsFrom.getTime() + overlapMs);
    await tx.organizationSigningKey.update({ where: { id: current.id }, data: { publishedUntil } });
  }
  const key = await insertKey(change, secretBox, signsFrom);
  await notifySigningKeyChanged(tx, organizationId);
  return key;
}

/** Locks the organization, and returns the time after that. The time of the change may be before that of a change that it waited for. */
async function lockOrganization({ tx, organizationId }: KeyChange): Promise<Date> {
  await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  return timeNow(tx);
}

function insertKey(
  { tx, organizationId }: KeyChange,
  secretBox: SecretBox,
  signsFrom: Date,
): Promise<{ id: string; signsFrom: Date }> {
  const { publicKey, privateKey } = createSigningKey();
  const data = {
    organizationId,
    publicKey,
    privateKey: secretBox.encrypt(privateKey, organizationId),
    signsFrom,
  };
  return tx.organizationSigningKey.create({ data, select: { id: true, signsFrom: true } });
}

/** Returns the published public keys of an organization, in the order in which they sign; empty for an unknown organization. */
export async function publishedKeys(
  db: Pick<Database, "$queryRaw">,
  organizationId: string,
): Promise<{ id: string; publicKey: Uint8Array }[]> {
  if (!isUuid(organizationId)) return [];
  return db.$queryRaw`
    SELECT id, public_key AS "publicKey" FROM organization_signing_keys
    WHERE organization_id = ${organizationId}::uuid AND (published_until IS NULL OR published_until > now())
    ORDER BY signs_from`;
}

/** Returns the encrypted private keys of an organization, in the order in which they sign. */
export async function readSigningKeys(
  db: Pick<Database, "organizationSigningKey">,
  organizationId: string,
): Promise<SigningKey<Uint8Array>[]> {
  const rows = await db.organizationSigningKey.findMany({
    where: { organizationId },
    orderBy: { signsFrom: "asc" },
  });
  return rows.map(({ privateKey, signsFrom }) => ({ key: privateKey, from: signsFrom.getTime() }));
}
