import type { Command } from "@commander-js/extra-typings";
import { print, printLine, withExamples } from "@parley/command-line";
import { applyMigrations } from "@parley/database";
import { recordChange } from "@parley/database/accounts";
import { databaseUrl, withDatabase } from "../with-database.ts";

export function addMigrateCommand(program: Command): void {
  const migrate = program
    .command("migrate")
    .description(
      "Applies the pending migrations of the database. The API and the worker do this too when they start; with this command, " +
        "another database role can do it before.",
    )
    .option("--json", "print JSON")
    .action(async ({ json }) => {
      const log = json ? () => undefined : printLine;
      const applied = await applyMigrations(databaseUrl(process.env), { log });
      if (applied.length > 0) {
        // After the migrations, because the first one creates the audit log.
        const record = { event: "database.migrated", details: { migrations: applied } } as const;
        await withDatabase((db, by) => recordChange(db, by, record));
      }
      print(json, { applied }, () => (applied.length === 0 ? "The database is up to date." : "Done."));
    });
  withExamples(migrate, ["parley-admin migrate"]);
}
