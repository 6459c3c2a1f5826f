import { execFileSync, type SpawnOptions } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Program, startProgram } from "@parley/testing/program";
import { expect, vi } from "vitest";

const repository = join(import.meta.dirname, "../../..");

/** Starts a script, given by its path from the repository's root. */
export function startScript(script: string, variables: Record<string, string>): Program {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], ...variables };
  return startProgram([process.execPath, join(repository, script)], { env });
}

/** Process of `npm start` on a free port. */
export interface Spawned {
  url: string;
  /** Returns the output so far. */
  text(): string;
  /** Sends the signal to npm only, or to all processes like Ctrl-C, and waits until the server has ended. */
  end(signal: NodeJS.Signals, target: "npm" | "everything"): Promise<void>;
}

/** @param options another checkout, user or environment; `command` runs `npm start` in another way */
export async function npmStart(
  dataDir: string,
  options: Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> & { command?: string[] } = {},
): Promise<Spawned> {
  const { command = ["npm", "start"], env = process.env, ...others } = options;
  const program = startProgram(command, {
    cwd: repository,
    ...others,
    env: { ...env, PORT: "0", DATA_DIR: dataDir },
    detached: true,
  });
  const [, url = ""] = await program.output(/^Parley is ready: (\S+)$/m, 600_000); // May install and build.
  return {
    url,
    text: program.text,
    async end(signal, target) {
      const pid = program.child.pid ?? Number.NaN;
      process.kill(target === "everything" ? -pid : pid, signal);
      await program.ended();
      // npm may end before the server.
      await vi.waitFor(async () => expect(await responds(url)).toBe(false), {
        timeout: 60_000,
        interval: 50,
      });
    },
  };
}

async function responds(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}

/** Returns the command lines of processes that contain a folder, such as those of the embedded PostgreSQL. */
export function processesOn(folder: string): string[] {
  const lines = execFileSync("ps", ["-axww", "-o", "args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(folder));
}

/** Returns the token in the output. */
export function tokenIn(output: string): string {
  return /Bearer (parley_at_\S+?)'/.exec(output)?.[1] ?? "";
}

/** Creates an empty temporary folder. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "parley-start-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
