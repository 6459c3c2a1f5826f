import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");

/** `npm start` as a newcomer runs it, on a free port. */
export interface Spawned {
  url: string;
  /** What it printed. */
  output(): string;
  /** Sends the signal to npm alone, or to everything as Ctrl-C does, and resolves when the process is gone. */
  end(signal: NodeJS.Signals, whom: "npm" | "everything"): Promise<void>;
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
    detached: true, // A process group of its own, as a terminal gives.
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
  return { url, output: () => output, end: (signal, whom) => end(child, url, signal, whom) };
}

async function end(child: ChildProcess, url: string, signal: NodeJS.Signals, whom: "npm" | "everything") {
  const pid = child.pid ?? Number.NaN;
  process.kill(whom === "everything" ? -pid : pid, signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  // npm may be gone before the server is.
  for (const deadline = Date.now() + 20_000; await answers(url); ) {
    if (Date.now() > deadline) throw new Error(`the server still answers 20 s after ${signal}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}

/** Command lines that name a folder: the embedded PostgreSQL's processes, as long as they run. */
export function processesOn(folder: string): string[] {
  const lines = execFileSync("ps", ["-axww", "-o", "args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(folder));
}

/** The token that the welcome prints. */
export function tokenIn(output: string): string {
  return /Bearer (parley_at_\S+?)'/.exec(output)?.[1] ?? "";
}

/** An empty folder that is removed afterwards. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "parley-start-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
