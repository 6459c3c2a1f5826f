// Copies what the programs of a server need at run time to a folder: `node deploy/image/collect.ts <folder>`. Run `npm run build` before.
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { nodeFileTrace } from "@vercel/nft";

const root = join(import.meta.dirname, "../..");

/** The programs, with `run.ts`, which `main.mjs` imports when Node.js is new enough. */
const programs = ["api", "worker", "admin"].flatMap((app) => [
  `apps/${app}/src/main.mjs`,
  `apps/${app}/src/run.ts`,
]);

/** Files that the programs read without importing them. */
const data = [
  "LICENSE",
  "package.json",
  "apps/docs/dist",
  "apps/api/src/modules/console/browser/console.js",
  "packages/cli/parley-cli.tgz",
  "packages/database/prisma/migrations",
  "packages/sdk/parley-sdk.tgz",
  "packages/ui/src/styles",
  "deploy/image/parley.mjs",
  "deploy/image/check-health.mjs",
  "deploy/nginx",
  "deploy/systemd",
];

/** Packages that read files of their own by names that the tracer does not know. */
const packagesWithData = ["@seriousme/openapi-schema-validator"];

/** Optional parts of packages, which Parley does not use. */
const unused = ["pg-native", "cloudflare:sockets"];

const { positionals } = parseArgs({ allowPositionals: true });
const [target] = positionals;
if (target === undefined) throw new Error("Usage: node deploy/image/collect.ts <folder>");

const { fileList, warnings } = await nodeFileTrace(programs, {
  base: root,
  processCwd: root,
  conditions: ["node", "import"],
  analysis: { emitGlobs: false }, // Its guesses contain whole folders.
  // The tracer reads JavaScript.
  async readFile(path) {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
    const text = readFileSync(path, "utf8");
    return path.endsWith(".ts") && !path.includes("node_modules") ? stripTypeScriptTypes(text) : text;
  },
});
const missing = [...warnings].filter(({ message }) => !unused.some((name) => message.includes(`"${name}"`)));
if (missing.length > 0) throw new Error(missing.map(({ message }) => message).join("\n"));
for (const file of [...fileList, ...data, ...packagesWithData.map(folderOf)]) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  cpSync(join(root, file), join(target, file), { recursive: true, verbatimSymlinks: true });
}
console.log(`${fileList.size} files and ${data.length} files and folders with data were copied to ${target}`);

/** Returns the folder of a package among the traced files. */
function folderOf(name: string): string {
  const manifest = [...fileList].find((file) => file.endsWith(`node_modules/${name}/package.json`));
  if (manifest === undefined) throw new Error(`${name} is not used any more`);
  return dirname(manifest);
}
