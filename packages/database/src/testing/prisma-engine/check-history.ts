import { readMigrations } from "../../migrate/migration-files.ts";
import { migrationsList, noFilters, withSchemaEngine } from "./with-engine.ts";

/** What `prisma migrate status` reports about the migrations of a folder and those of the database. */
interface History {
  edited: string[];
  failed: string[];
  missing: string[];
}

/** Asks Prisma's engine about the database's record of migrations. */
export async function checkHistory(url: string, folder: string): Promise<History> {
  const migrations = await readMigrations(folder);
  return withSchemaEngine(url, async (engine) => {
    const { editedMigrationNames, failedMigrationNames, history } = await engine.diagnoseMigrationHistory({
      migrationsList: migrationsList(migrations),
      optInToShadowDatabase: false,
      filters: noFilters,
    });
    const missing = history && "unappliedMigrationNames" in history ? history.unappliedMigrationNames : [];
    return { edited: editedMigrationNames, failed: failedMigrationNames, missing };
  });
}
