import { globSync, readFileSync } from "node:fs";
import type { BuildOptions, Plugin } from "rolldown";

const root = import.meta.dirname;
const glob = (pattern: string) => globSync(pattern, { cwd: root });

/** Icons, and what n8n's catalogue says of a node, stand beside the code. */
const copyAssets: Plugin = {
  name: "copy assets",
  generateBundle() {
    for (const fileName of glob("{icons,nodes}/**/*.{svg,json}"))
      this.emitFile({ type: "asset", fileName, source: readFileSync(`${root}/${fileName}`) });
  },
};

/** CommonJS, one file for each node and credential, as n8n loads them. */
export default {
  cwd: root,
  input: Object.fromEntries(
    glob("{credentials,nodes}/**/*.{credentials,node}.ts").map((path) => [path.replace(/\.ts$/, ""), path]),
  ),
  platform: "node",
  external: ["n8n-workflow"],
  plugins: [copyAssets],
  output: {
    dir: "dist",
    format: "cjs",
    entryFileNames: "[name].js",
    chunkFileNames: "nodes/shared/[name].js",
  },
} satisfies BuildOptions;
