import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Declaration,
  declarationReader,
  type Export,
  exportsOf,
  type ReadFile,
} from "./declarations.ts";
import { isContract } from "./links.ts";

/** The package that the pages describe. */
export interface SdkPackage {
  readonly name: string;
  readonly description: string;
  readonly readme: string;
  readonly entryPoints: readonly EntryPoint[];
  readonly read: ReadFile;
}

/** A path that programs import. */
export interface EntryPoint {
  /** Name in `import`, for example `@parley/sdk/webhooks`. */
  readonly name: string;
  /** What it is for, as Markdown. */
  readonly description: string;
  readonly exports: readonly SdkExport[];
}

/** An export. A type of the contract has no declaration, because the schemas describe it. */
export interface SdkExport extends Export {
  readonly declaration: Declaration | undefined;
}

/** Reads the declarations of the built SDK. */
export function readSdk(): SdkPackage {
  const manifest = fileURLToPath(import.meta.resolve("@parley/sdk/package.json"));
  const { name, description, exports } = JSON.parse(readFileSync(manifest, "utf8")) as {
    name: string;
    description: string;
    exports: Record<string, string | { types: string }>;
  };
  const read = declarationReader(join(dirname(manifest), "dist"));
  const entryPoints = Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string") return [];
    const file = target.types.replace("./dist/", "");
    const found = exportsOf(read, file, isContract).map((one) => ({
      ...one,
      declaration: isContract(one.file) ? undefined : read(one.file).declarations.get(one.name),
    }));
    return [{ name: join(name, path), description: purposeOf(read(file).doc.description), exports: found }];
  });
  return {
    name,
    description,
    readme: readFileSync(join(dirname(manifest), "README.md"), "utf8"),
    entryPoints,
    read,
  };
}

/** Returns the description of an entry point without its name: `` `@parley/sdk/webhooks`: verifies … `` is `Verifies …`. */
function purposeOf(description: string): string {
  const text = description.replace(/^`[^`]*`:\s*/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
