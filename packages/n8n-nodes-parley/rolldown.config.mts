import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions, Plugin } from "rolldown";
import manifest from "./package.json" with { type: "json" };

const root = import.meta.dirname;
const { credentials, nodes } = manifest.n8n;

/** Returns the entry `nodes/Parley/Parley.node` for `dist/nodes/Parley/Parley.node.js`: dist/ has the same folders. */
const entry = (path: string) => path.replace(/^dist\/(.*)\.js$/, "$1");

const read = (path: string) => readFileSync(join(root, path));

/** Icons, and the catalog entry of each node. n8n ignores an entry without `resources`. */
const assets = new Map<string, string | Uint8Array>([
  ...readdirSync(join(root, "icons")).map((icon) => [`icons/${icon}`, read(`icons/${icon}`)] as const),
  ...nodes.map((path) => [`${entry(path)}.json`, catalogEntry(`${entry(path)}.json`)] as const),
]);

function catalogEntry(path: string): string {
  const documentation = [{ url: manifest.homepage }];
  const resources = { primaryDocumentation: documentation, credentialDocumentation: documentation };
  return JSON.stringify({ ...(JSON.parse(read(path).toString()) as object), resources }, null, 2);
}

const emitAssets: Plugin = {
  name: "emit assets",
  generateBundle() {
    for (const [fileName, source] of assets) this.emitFile({ type: "asset", fileName, source });
  },
};

/** CommonJS, one file for each node and credential of the manifest, as n8n loads them. */
export default {
  cwd: root,
  input: Object.fromEntries([...credentials, ...nodes].map(entry).map((name) => [name, `${name}.ts`])),
  platform: "node",
  external: ["n8n-workflow"],
  // The sources: packing the SDK rebuilds its dist folder, and both packages are packed at the same time.
  resolve: { alias: { "@parley/sdk/webhooks": join(root, "../sdk/src/webhooks/index.ts") } },
  plugins: [emitAssets],
  // n8n's cloud forbids the global `process`. Without it the SDK verifies with WebCrypto.
  transform: { define: { process: "undefined" } },
  output: {
    dir: "dist",
    format: "cjs",
    entryFileNames: "[name].js",
    chunkFileNames: "nodes/shared/[name].js",
  },
} satisfies BuildOptions;
