import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** Whether this machine has curl, which CI requires. */
export const hasCurl = spawnSync("curl", ["--version"]).error === undefined;
if (!hasCurl && process.env["CI"]) throw new Error("CI must have curl: .ci/run installs it");
if (!hasCurl) console.warn("skipped: there is no curl on this machine");

/**
 * Runs commands in a shell; resolves to the status of each response to curl, in order.
 *
 * @param variables what the commands find in their environment
 */
export async function statusesOf(commands: string, variables: Record<string, string>): Promise<number[]> {
  const printingStatus = `curl() { command curl -sS -o /dev/null -w '%{http_code}\\n' "$@"; }\n`;
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)("sh", ["-euc", printingStatus + commands], {
    env: { PATH, ...variables },
  });
  return stdout.trim().split("\n").map(Number);
}

/** Creates a folder in which programs can import the SDK. */
export interface ProgramFolder {
  /** Runs the program; resolves to what it exports. */
  run(name: string, source: string): Promise<unknown>;
  remove(): void;
}

export function programFolder(): ProgramFolder {
  const folder = mkdtempSync(join(tmpdir(), "parley-programs-"));
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  return {
    run(name, source) {
      const file = join(folder, `${name}.ts`);
      writeFileSync(file, source);
      return import(pathToFileURL(file).href);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
