import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Folder of Parley's migrations. */
export const migrationsFolder = join(import.meta.dirname, "../../prisma/migrations");

/** First line of a migration that must not run in a transaction, such as `CREATE INDEX CONCURRENTLY`. */
const noTransaction = "-- parley:no-transaction";

/** End of the name of a migration that removes what earlier versions of Parley need. */
const contract = /_contract$/;

/** Checks whether earlier versions of Parley can no longer use a database with this migration. */
export function removesFromEarlierVersions(name: string): boolean {
  return contract.test(name);
}

export interface Migration {
  /** Name of its folder; migrations are applied in the order of their names. */
  name: string;
  /** Path of its `migration.sql`. */
  file: string;
  sql: string;
  /** SHA-256 of the file's bytes in hex, as Prisma records it. */
  checksum: string;
  inTransaction: boolean;
}

/** Reads the migrations of a folder (`<name>/migration.sql`), in the order in which they are applied. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(name, join(folder, name, "migration.sql"))));
}

async function readMigration(name: string, file: string): Promise<Migration> {
  const bytes = await readFile(file);
  const sql = bytes.toString("utf8");
  const checksum = createHash("sha256").update(bytes).digest("hex");
  return { name, file, sql, checksum, inTransaction: sql.split(/\r?\n/, 1)[0] !== noTransaction };
}
