import { globSync } from "node:fs";
import { matchesGlob } from "node:path";

const read = [
  "*.md",
  ".changeset/*.md",
  ".github/**/*.md",
  ".config/*.{ts,mjs}",
  "docs/**/*.{md,json}",
  "openapi/**/*.{md,yaml}",
  "{apps,packages}/*/*.md",
  "{apps,packages}/*/{src,test,nodes,credentials,examples}/**/*.{ts,mts,mjs,js}",
];

/** Generated files, and the list of phrases with its examples. */
const never = ["**/{generated,dist}/**", "packages/prose-lint/src/{terms,lint.test}.ts"];

/** Returns the files that are checked, relative to the repository. */
export function listFiles(repository: string): string[] {
  return globSync(read, { cwd: repository, exclude: (path) => path.endsWith("node_modules") })
    .filter((path) => !never.some((pattern) => matchesGlob(path, pattern)))
    .sort();
}
