import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MigrationDirectory, MigrationList } from "@prisma/schema-engine-wasm/schema_engine_bg";

const prisma = join(import.meta.dirname, "../../prisma");

/** Where `prisma migrate` keeps the migrations, and the schema that they lead to. */
export const migrationsFolder = join(prisma, "migrations");
export const schemaFile = join(prisma, "schema.prisma");

/** Prisma's word for tables, or enums, that it should leave alone: there are none. */
export const noFilters = { externalTables: [], externalEnums: [] };

/** Reads a folder of migrations, `<name>/migration.sql`, into the form that the schema engine takes. */
export async function readMigrations(folder = migrationsFolder): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir: folder,
    lockfile: {
      path: "migration_lock.toml",
      content: await readFile(join(folder, "migration_lock.toml"), "utf8").catch(() => null),
    },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(names.sort().map((name) => readMigration(folder, name))),
  };
}

async function readMigration(folder: string, name: string): Promise<MigrationDirectory> {
  const path = "migration.sql";
  const value = await readFile(join(folder, name, path), "utf8");
  return { path: name, migrationFile: { path, content: { tag: "ok", value } } };
}
