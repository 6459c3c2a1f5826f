import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions, Plugin } from "rolldown";
import manifest from "./package.json" with { type: "json" };

const root = import.meta.dirname;
const { credentials, nodes } = manifest.n8n;

/** `nodes/Parley/Parley.node` from `dist/nodes/Parley/Parley.node.js`: below dist/ everything stands as it does here. */
const entry = (path: string) => path.replace(/^dist\/(.*)\.js$/, "$1");

/** Icons, and what n8n's catalogue says of each node. */
const assets = [
  ...readdirSync(join(root, "icons")).map((icon) => `icons/${icon}`),
  ...nodes.map((path) => `${entry(path)}.json`),
];

const copyAssets: Plugin = {
  name: "copy assets",
  generateBundle() {
    for (const fileName of assets)
      this.emitFile({ type: "asset", fileName, source: readFileSync(join(root, fileName)) });
  },
};

/** CommonJS, one file for each node and credential of the manifest, as n8n loads them. */
export default {
  cwd: root,
  input: Object.fromEntries([...credentials, ...nodes].map(entry).map((name) => [name, `${name}.ts`])),
  platform: "node",
  external: ["n8n-workflow"],
  plugins: [copyAssets],
  // n8n's cloud forbids the global; without it the SDK verifies by WebCrypto.
  transform: { define: { process: "undefined" } },
  output: {
    dir: "dist",
    format: "cjs",
    entryFileNames: "[name].js",
    chunkFileNames: "nodes/shared/[name].js",
  },
} satisfies BuildOptions;
