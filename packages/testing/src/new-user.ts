import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installRuntime } from "./runtimes.ts";

/** Registry and proxy of the machine. */
const network = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_registry)$/i;

/**
 * Creates `bin/` with the oldest supported Node.js and an empty `home/` in a folder. Returns environment variables that use
 * them, without the Node.js and the caches of this test run.
 */
export async function newUserEnvironment(folder: string): Promise<Record<string, string>> {
  const [bin, home] = [join(folder, "bin"), join(folder, "home")];
  for (const path of [bin, home]) mkdirSync(path);
  copyFileSync(await installRuntime("Node 20"), join(bin, "node"));
  chmodSync(join(bin, "node"), 0o755);
  const path = process.env["PATH"]?.split(delimiter).filter((part) => !part.includes("node_modules")) ?? [];
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    network.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(kept), PATH: [bin, ...path].join(delimiter), HOME: home };
}
