import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSite } from "../src/site/build-site.ts";

/** The documentation, built into a temporary folder. */
export interface BuiltSite {
  readonly folder: string;
  /** Paths of the pages without extension; `index` is the home page. Pages that are not part of the documentation are not included. */
  readonly pages: string[];
  read(file: string): string;
  remove(): void;
}

export async function buildTestSite(): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), "parley-site-"));
  await buildSite(folder);
  return {
    folder,
    pages: globSync("**/*.html", { cwd: folder, exclude: ["not-found.html", "signed-in.html"] }).map((file) =>
      file.replace(/\.html$/, ""),
    ),
    read: (file) => readFileSync(join(folder, file), "utf8"),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
