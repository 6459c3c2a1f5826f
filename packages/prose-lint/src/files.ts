import { globSync } from "node:fs";
import { matchesGlob } from "node:path";

const read = [
  "*.md",
  ".changeset/*.md",
  ".github/**/*.md",
  "docs/**/*.md",
  "openapi/**/*.{md,yaml}",
  "{apps,packages}/*/*.md",
  "{apps,packages}/*/{src,test,nodes,credentials,examples}/**/*.{ts,mts,mjs,js}",
];

/** Generated files, and the list of phrases with its examples. */
const never = ["**/{node_modules,generated,dist}/**", "packages/prose-lint/src/{terms,lint.test}.ts"];

/** TEMPORARY: texts that are still being rewritten. Empty this list. */
const notYet = [
  "openapi/**",
  "packages/{contract,sdk}/**",
  "apps/{api,worker,admin,standalone}/**",
  "packages/{webhooks,database,config,embedded-postgres,resources}/**",
];

/** Returns the files that are checked, relative to the repository; `all` includes those being rewritten. */
export function listFiles(repository: string, all: boolean): string[] {
  const exclude = all ? never : [...never, ...notYet];
  const isExcluded = (path: string) => exclude.some((pattern) => matchesGlob(path, pattern));
  return globSync(read, { cwd: repository, exclude: isExcluded }).sort();
}
