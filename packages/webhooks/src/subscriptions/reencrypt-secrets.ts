import type { Pool } from "pg";
import { NIL } from "uuid";
import type { SecretBox } from "../secret-box.ts";

const batch = 500;

interface Reencrypted {
  /** Number of subscriptions whose secrets were re-encrypted. */
  reencrypted: number;
  /** IDs of subscriptions whose secrets no key decrypts. */
  unreadable: string[];
}

interface Row {
  id: string;
  organizationId: string;
  secret: Buffer;
  nextSecret: Buffer | null;
}

/**
 * Re-encrypts every subscription's secrets with the current key, so that old keys are no longer needed. Skips a row whose secret was
 * rotated in the meantime, because rotation encrypts with the current key.
 */
export async function reencryptSecrets(db: Pool, secretBox: SecretBox): Promise<Reencrypted> {
  const result: Reencrypted = { reencrypted: 0, unreadable: [] };
  if (!secretBox.hasOldKeys) return result;
  for (let rows = await readAfter(db); rows.length > 0; rows = await readAfter(db, rows.at(-1))) {
    for (const row of rows) {
      const encrypted = reencryptedRow(row, secretBox);
      if (encrypted === "unreadable") result.unreadable.push(row.id);
      else if (encrypted && (await write(db, row, encrypted))) result.reencrypted += 1;
    }
  }
  return result;
}

async function readAfter(db: Pool, last?: Row): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `SELECT id, organization_id AS "organizationId", secret, next_secret AS "nextSecret"
     FROM subscriptions WHERE id > $1 ORDER BY id LIMIT $2`,
    [last?.id ?? NIL, batch],
  );
  return rows;
}

type EncryptedSecrets = [secret: Uint8Array, nextSecret: Uint8Array | null];

/** Re-encrypts the secrets of a row; returns null if both are already encrypted with the current key. */
function reencryptedRow(
  { organizationId, secret, nextSecret }: Row,
  secretBox: SecretBox,
): EncryptedSecrets | "unreadable" | null {
  try {
    const [first, next] = [secret, nextSecret].map((encrypted) =>
      encrypted ? secretBox.reencrypt(encrypted, organizationId) : null,
    );
    return first || next ? [first ?? secret, next ?? nextSecret] : null;
  } catch {
    return "unreadable";
  }
}

async function write(db: Pool, row: Row, [secret, nextSecret]: EncryptedSecrets): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE subscriptions SET secret = $2, next_secret = $3
     WHERE id = $1 AND secret = $4 AND next_secret IS NOT DISTINCT FROM $5`,
    [row.id, secret, nextSecret, row.secret, row.nextSecret],
  );
  return rowCount === 1;
}
