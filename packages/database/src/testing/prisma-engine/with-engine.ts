import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { connect } from "../../client.ts";
import { catalogueReader } from "./catalogue-reader.ts";

/** Runs `use` with Prisma's schema engine, as WebAssembly, which reads the database of the URL and cannot change it. */
export async function withSchemaEngine<T>(
  url: string,
  use: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  loading ??= loadEngine();
  await loading;
  const client = await connect(url);
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(catalogueReader(client));
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, adapter);
    return await use(engine).finally(() => engine.free());
  } finally {
    await client.end();
  }
}

let loading: Promise<void> | undefined;

/** The package's own entry imports the .wasm file as a module, for which Node prints a warning. */
async function loadEngine(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = await readFile(join(dirname(entry), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": { ...bindings } });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

/** No table and no enum is managed by something else than Prisma. */
export const noFilters = { externalTables: [], externalEnums: [] };

/** Names and content of migrations, in the form that the engine takes. */
export function migrationsList(migrations: { name: string; sql: string }[]) {
  return {
    baseDir: ".",
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"' },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value: sql } },
    })),
  };
}
