import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");

/** Process of `npm start` on a free port. */
export interface Spawned {
  url: string;
  /** Returns the output so far. */
  output(): string;
  /** Sends the signal to npm only, or to all processes like Ctrl-C, and waits until the server has ended. */
  end(signal: NodeJS.Signals, target: "npm" | "everything"): Promise<void>;
}

const ready = /^Parley is ready: (\S+)$/m;

/** @param options another checkout, user or environment; `command` runs `npm start` in another way */
export async function npmStart(
  dataDir: string,
  options: Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> & { command?: string[] } = {},
): Promise<Spawned> {
  const { command = ["npm", "start"], env = process.env, ...others } = options;
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd: repository,
    ...others,
    env: { ...env, PORT: "0", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // A separate process group, as in a terminal.
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const found = ready.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", () => reject(new Error(`npm start ended:\n${output}`)));
  });
  return { url, output: () => output, end: (signal, target) => end(child, url, signal, target) };
}

async function end(child: ChildProcess, url: string, signal: NodeJS.Signals, target: "npm" | "everything") {
  const pid = child.pid ?? Number.NaN;
  process.kill(target === "everything" ? -pid : pid, signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  // npm may end before the server.
  for (const deadline = Date.now() + 20_000; await responds(url); ) {
    if (Date.now() > deadline) throw new Error(`the server still responses 20 s after ${signal}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
