import { readFile } from "node:fs/promises";
import { migrationsFolder, noFilters, readMigrations, schemaFile } from "./migration-list.ts";
import { withSchemaEngine } from "./schema-engine.ts";

/**
 * The SQL that would make the migrations' outcome match `schema.prisma`: empty if they agree.
 * Applies the migrations to a shadow database, which the URL's user must be allowed to create.
 *
 * What Prisma has no words for (functions, check constraints, partial and expression indexes, partitions, storage
 * settings) is not compared.
 */
export async function checkDrift(
  url: string,
  folder = migrationsFolder,
  schema = schemaFile,
): Promise<string> {
  const files = [{ path: schema, content: await readFile(schema, "utf8") }];
  const migrations = await readMigrations(folder);
  return withSchemaEngine(url, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: "migrations", ...migrations },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: noFilters,
    });
    const script = stdout?.trim() ?? "";
    return script === "-- This is an empty migration." ? "" : script;
  });
}
