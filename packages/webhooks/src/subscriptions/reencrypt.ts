import type { Pool } from "pg";
import { NIL } from "uuid";
import type { SecretBox } from "../secret-box.ts";

/** Tables with columns that are encrypted for the organization of the row. */
const tables = {
  subscriptions: ["secret", "next_secret", "headers"],
  subscription_versions: ["secret", "next_secret"],
  organization_signing_keys: ["private_key"],
};

const batch = 500;

export interface Reencrypted {
  /** Number of rows that were re-encrypted. */
  reencrypted: number;
  /** Rows with a value that no key decrypts. */
  unreadable: { table: string; id: string }[];
}

type Values = (Uint8Array | null)[];

interface Row {
  id: string;
  organizationId: string;
  values: Values;
}

/**
 * Re-encrypts signing secrets, headers and signing keys with the current key, so that old keys are no longer needed. Skips a row that was changed in
 * the meantime, because the change encrypts with the current key.
 */
export async function reencrypt(db: Pool, secretBox: SecretBox): Promise<Reencrypted> {
  const result: Reencrypted = { reencrypted: 0, unreadable: [] };
  if (!secretBox.hasOldKeys) return result;
  for (const [table, columns] of Object.entries(tables)) {
    for (let rows = await readAfter(db, table, columns); rows.length > 0; ) {
      for (const row of rows) {
        const encrypted = reencryptedValues(row, secretBox);
        if (encrypted === "unreadable") result.unreadable.push({ table, id: row.id });
        else if (encrypted && (await write(db, table, columns, row, encrypted))) result.reencrypted += 1;
      }
      rows = await readAfter(db, table, columns, rows.at(-1));
    }
  }
  return result;
}

async function readAfter(db: Pool, table: string, columns: string[], last?: Row): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `SELECT id, organization_id AS "organizationId", ARRAY[${columns.join(", ")}] AS values
     FROM ${table} WHERE id > $1 ORDER BY id LIMIT $2`,
    [last?.id ?? NIL, batch],
  );
  return rows;
}

/** Re-encrypts the values of a row; returns null if all are already encrypted with the current key. */
function reencryptedValues(
  { organizationId, values }: Row,
  secretBox: SecretBox,
): Values | "unreadable" | null {
  try {
    const changed = values.map((value) => value && secretBox.reencrypt(value, organizationId));
    return changed.some(Boolean) ? changed.map((value, index) => value ?? values[index] ?? null) : null;
  } catch {
    return "unreadable";
  }
}

async function write(
  db: Pool,
  table: string,
  columns: string[],
  { id, values }: Row,
  encrypted: Values,
): Promise<boolean> {
  const set = columns.map((column, i) => `${column} = $${i + 2}`).join(", ");
  const unchanged = columns.map((column, i) => `${column} IS NOT DISTINCT FROM $${i + 2 + columns.length}`);
  const { rowCount } = await db.query(
    `UPDATE ${table} SET ${set} WHERE id = $1 AND ${unchanged.join(" AND ")}`,
    [id, ...encrypted, ...values],
  );
  return rowCount === 1;
}
