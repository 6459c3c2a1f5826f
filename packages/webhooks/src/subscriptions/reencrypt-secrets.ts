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
  headers: Buffer | null;
}

/**
 * Re-encrypts every subscription's secrets and headers with the current key, so that old keys are no longer needed. Skips a row that was
 * changed in the meantime, because the change encrypts with the current key.
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
    `SELECT id, organization_id AS "organizationId", secret, next_secret AS "nextSecret", headers
     FROM subscriptions WHERE id > $1 ORDER BY id LIMIT $2`,
    [last?.id ?? NIL, batch],
  );
  return rows;
}

type Encrypted = [secret: Uint8Array, nextSecret: Uint8Array | null, headers: Uint8Array | null];

/** Re-encrypts the secrets and headers of a row; returns null if all are already encrypted with the current key. */
function reencryptedRow(
  { organizationId, secret, nextSecret, headers }: Row,
  secretBox: SecretBox,
): Encrypted | "unreadable" | null {
  try {
    const [first, next, values] = [secret, nextSecret, headers].map((encrypted) =>
      encrypted ? secretBox.reencrypt(encrypted, organizationId) : null,
    );
    const isChanged = [first, next, values].some(Boolean);
    return isChanged ? [first ?? secret, next ?? nextSecret, values ?? headers] : null;
  } catch {
    return "unreadable";
  }
}

async function write(db: Pool, row: Row, [secret, nextSecret, headers]: Encrypted): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE subscriptions SET secret = $2, next_secret = $3, headers = $4
     WHERE id = $1 AND secret = $5 AND next_secret IS NOT DISTINCT FROM $6 AND headers IS NOT DISTINCT FROM $7`,
    [row.id, secret, nextSecret, headers, row.secret, row.nextSecret, row.headers],
  );
  return rowCount === 1;
}
