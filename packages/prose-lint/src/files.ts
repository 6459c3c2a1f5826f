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

/** TEMPORARY: texts that are still being rewritten. Remove this list and the option `--all`, which ignores it. */
const notYet = [
  "openapi/**",
  "packages/{contract,sdk}/**",
  "apps/{api,worker,admin,standalone}/**",
  "packages/{webhooks,database,config,embedded-postgres,resources}/**",
  "docs/configuration.md", // Generated from descriptions in these folders.
  "docs/oauth-compliance.md", // Quotes the titles of tests in apps/api.
];

/** Returns the files that are checked, relative to the repository; `all` includes those being rewritten. */
export function listFiles(repository: string, all: boolean): string[] {
  const exclude = all ? never : [...never, ...notYet];
  return globSync(read, { cwd: repository, exclude: (path) => path.endsWith("node_modules") })
    .filter((path) => !exclude.some((pattern) => matchesGlob(path, pattern)))
    .sort();
}
