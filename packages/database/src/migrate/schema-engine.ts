import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bindMigrationAwareSqlAdapterFactory, type ErrorRegistry } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { connectionOptions } from "../connection-options.ts";
import { migrationAdapter } from "./migration-adapter.ts";

/**
 * Prisma's schema engine, as WASM, on one connection to the database of the URL.
 *
 * @param datamodels the schema's files, which some of the engine's methods refer to
 */
export async function withSchemaEngine<T>(
  url: string,
  use: (engine: SchemaEngine, client: pg.Client) => Promise<T>,
  datamodels: [path: string, content: string][] = [],
): Promise<T> {
  loading ??= loadEngine();
  await loading;
  const client = new pg.Client(connectionOptions(url));
  client.on("error", () => {}); // The next statement fails, and says so.
  await client.connect();
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(migrationAdapter(url, client));
    const options = { datamodels: datamodels.length > 0 ? datamodels : undefined };
    const engine = await bindings.SchemaEngine.new(options, ignoreLog, adapter);
    try {
      return await use(engine, client);
    } catch (error) {
      throw originalError(error, adapter.errorRegistry);
    } finally {
      engine.free();
    }
  } finally {
    await client.end();
  }
}

export type { SchemaEngine };

let loading: Promise<void> | undefined;

/** Done by hand, since the package's own entry imports the .wasm file as a module, of which Node warns. */
async function loadEngine(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = await readFile(join(dirname(entry), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": { ...bindings } });
  // The engine leaves the reason of a panic there, by that very name, before it throws.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (reason: string) => console.error(reason) },
  });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

/** The engine passes on the number of an error that is not one of a statement, such as a lost connection. */
function originalError(error: unknown, registry: ErrorRegistry): unknown {
  const number = error instanceof Error ? /External error id#(\d+)/.exec(error.message)?.[1] : undefined;
  return (number === undefined ? undefined : registry.consumeError(Number(number))?.error) ?? error;
}

function ignoreLog() {}
