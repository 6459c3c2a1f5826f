import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { migrationsList, noFilters, withSchemaEngine } from "./with-engine.ts";

const schemaFile = join(import.meta.dirname, "../../../prisma/schema.prisma");

/**
 * Returns the SQL that would make the schema of a migrated database match `schema.prisma`; empty if they agree.
 *
 * What Prisma cannot express is not compared: functions, triggers, check constraints, partial and expression indexes,
 * partitions and storage parameters.
 */
export async function checkDrift(url: string, schema = schemaFile): Promise<string> {
  const files = [{ path: schema, content: await readFile(schema, "utf8") }];
  return withSchemaEngine(url, async (engine) => {
    const { stdout } = await engine.diff({
      // With no migrations to apply, the engine's shadow database is the migrated database as it is.
      from: { tag: "migrations", ...migrationsList([]) },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: noFilters,
    });
    const script = stdout?.trim() ?? "";
    return script === "-- This is an empty migration." ? "" : script;
  });
}
