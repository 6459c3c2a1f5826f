import type { Pool } from "pg";
import { NIL } from "uuid";
import type { SecretBox } from "../secret-box.ts";

const batch = 500;

interface Reencrypted {
  /** Number of keys that were re-encrypted. */
  reencrypted: number;
  /** IDs of organizations with a key that cannot be decrypted. */
  unreadable: string[];
}

interface Row {
  id: string;
  organizationId: string;
  privateKey: Buffer;
}

/** Re-encrypts the private signing keys of organizations with the current encryption key. A private key never changes, only its encryption. */
export async function reencryptSigningKeys(db: Pool, secretBox: SecretBox): Promise<Reencrypted> {
  const result: Reencrypted = { reencrypted: 0, unreadable: [] };
  if (!secretBox.hasOldKeys) return result;
  for (let rows = await readAfter(db); rows.length > 0; rows = await readAfter(db, rows.at(-1))) {
    for (const row of rows) {
      const encrypted = reencryptedKey(row, secretBox);
      if (encrypted === "unreadable") result.unreadable.push(row.organizationId);
      else if (encrypted) {
        const sql = "UPDATE organization_signing_keys SET private_key = $2 WHERE id = $1";
        result.reencrypted += (await db.query(sql, [row.id, encrypted])).rowCount ?? 0;
      }
    }
  }
  return result;
}

/** Re-encrypts a private key; returns null if it is already encrypted with the current encryption key. */
function reencryptedKey(
  { privateKey, organizationId }: Row,
  secretBox: SecretBox,
): Uint8Array | "unreadable" | null {
  try {
    return secretBox.reencrypt(privateKey, organizationId);
  } catch {
    return "unreadable";
  }
}

async function readAfter(db: Pool, last?: Row): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `SELECT id, organization_id AS "organizationId", private_key AS "privateKey"
     FROM organization_signing_keys WHERE id > $1 ORDER BY id LIMIT $2`,
    [last?.id ?? NIL, batch],
  );
  return rows;
}
