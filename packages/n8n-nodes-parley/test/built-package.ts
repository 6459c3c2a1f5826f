import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ICredentialType, INodeType } from "n8n-workflow";
import { build } from "rolldown";
import manifest from "../package.json" with { type: "json" };
import options from "../rolldown.config.mts";

const require = createRequire(import.meta.url);

/** Loaded as the built nodes load it, so that both use the same classes. */
export const n8n: typeof import("n8n-workflow") = require("n8n-workflow");

export interface LoadedPackage {
  parley: INodeType;
  trigger: INodeType;
  credential: ICredentialType;
  remove(): void;
}

/** Builds the package and loads it as n8n does: from each file of the manifest, the class with the name of the file. */
export async function loadPackage(): Promise<LoadedPackage> {
  const folder = mkdtempSync(join(import.meta.dirname, "../node_modules/.built-"));
  await build({ ...options, output: { ...options.output, dir: folder } });
  const classes = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((file) => {
    const [, name = ""] = /([^/]+)\.(?:node|credentials)\.js$/.exec(file) ?? [];
    return [name, new (require(join(folder, file.replace(/^dist\//, "")))[name])()];
  });
  const { Parley, ParleyTrigger, ParleyOAuth2Api } = Object.fromEntries(classes);
  const remove = () => rmSync(folder, { recursive: true });
  return { parley: Parley, trigger: ParleyTrigger, credential: ParleyOAuth2Api, remove };
}
