import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions, Plugin } from "rolldown";
import manifest from "./package.json" with { type: "json" };

const root = import.meta.dirname;
const {
  dependencies: _bundled,
  devDependencies: _tests,
  scripts: _scripts,
  publishConfig: _settings,
  ...published
} = manifest;

/** Adds the other files of the package: a manifest without dependencies, because they are bundled, and their licenses. */
const addPackageFiles: Plugin = {
  name: "package files",
  generateBundle(_options, bundle) {
    const emit = (fileName: string, source: string) => this.emitFile({ type: "asset", fileName, source });
    emit("package.json", JSON.stringify(published, null, 2));
    for (const file of ["README.md", "CHANGELOG.md", "LICENSE"])
      emit(file, readFileSync(join(root, file), "utf8"));
    const modules = Object.values(bundle).flatMap((chunk) => ("moduleIds" in chunk ? chunk.moduleIds : []));
    emit("THIRD_PARTY_LICENSES", licensesOf(modules));
  },
};

/** Returns the licenses of the bundled packages that are not part of Parley. */
function licensesOf(modules: string[]): string {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  return [...new Set(folders)]
    .toSorted()
    .map((folder) => {
      const name = folder.split("/node_modules/").at(-1);
      return `${name}\n\n${readFileSync(join(folder, "LICENSE"), "utf8")}`;
    })
    .join("\n");
}

/** One file for Node.js 20 and later, without dependencies, so that it installs and starts quickly. */
export default {
  cwd: root,
  input: { parley: "src/run.ts" },
  platform: "node",
  // The sources, because building the SDK empties its dist folder.
  resolve: {
    alias: {
      "@parley/sdk/testing": join(root, "../sdk/src/testing/index.ts"),
      "@parley/sdk": join(root, "../sdk/src/index.ts"),
    },
  },
  plugins: [addPackageFiles],
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    banner: "#!/usr/bin/env node",
    minify: true,
  },
} satisfies BuildOptions;
