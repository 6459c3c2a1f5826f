import { readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPassword, superuserUrl } from "./cluster.ts";
import { commandLine, signalProcess } from "./process-table.ts";

/**
 * Returns settings for the server's command line that identify its folder and parent process, and have no other effect.
 */
export function identifyingSettings(folder: string, owner: number | "" = process.pid): string[] {
  return ["-c", `parley.folder=${folder}`, "-c", `parley.owner=${owner}`];
}

/**
 * Ensures that no server runs on the folder. Stops a server whose parent has ended, which is only possible if its
 * watcher was also killed, or while it shuts down.
 *
 * @throws Error if the server's parent is alive, because two programs must not share a data folder
 */
export async function endOrphan(folder: string): Promise<void> {
  const pidFile = join(folder, "cluster/postmaster.pid");
  const pid = await readPid(pidFile);
  if (pid === undefined) return;

  const owner = ownerOf(pid, folder);
  if (owner === undefined) {
    // This file remains after a crash. PostgreSQL would refuse to start if another process has the same process ID now.
    rmSync(pidFile, { force: true });
    return;
  }
  if (signalProcess(owner, 0)) {
    throw new Error(
      `The data folder ${folder} is in use: process ${owner} runs a PostgreSQL server on it (process ${pid}). ` +
        "Stop that process, or set DATA_DIR to another folder.",
    );
  }
  // Fast shutdown first (roll back, write a checkpoint), then immediate shutdown, which requires crash recovery.
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    signalProcess(pid, signal);
    for (let waited = 0; waited < 10_000; waited += 20) {
      if (ownerOf(pid, folder) === undefined) return;
      await sleep(20);
    }
  }
  throw new Error(
    `An orphaned PostgreSQL server (process ${pid}) on ${folder} does not stop. Stop it yourself, for example with kill.`,
  );
}

/** Reads the process ID. The file is empty for a moment while a server starts; longer only after a crash. */
async function readPid(pidFile: string): Promise<number | undefined> {
  for (let waited = 0; ; waited += 20) {
    const text = readIfPresent(pidFile);
    if (text === undefined) return undefined;
    const pid = Number.parseInt(text, 10);
    if (pid > 0) return pid;
    if (waited >= 2_000) {
      rmSync(pidFile, { force: true });
      return undefined;
    }
    await sleep(20);
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the parent of the server `pid`; undefined if that is no running server of this folder. */
function ownerOf(pid: number, folder: string): number | undefined {
  const [, owner] = commandLine(pid).split(identifyingSettings(folder, "").join(" "));
  return owner === undefined ? undefined : Number.parseInt(owner, 10);
}

/**
 * Returns the connection string of the embedded server that another process runs on a data folder; undefined if none is running.
 *
 * @throws Error if this user cannot read the folder
 */
export function findRunningPostgres(dataDir: string): string | undefined {
  try {
    const folder = join(realpathSync(dataDir), "postgres");
    const [pid, , , port] = readFileSync(join(folder, "cluster/postmaster.pid"), "utf8").split("\n");
    if (ownerOf(Number(pid), folder) === undefined) return undefined; // Left by a crash.
    return superuserUrl(readPassword(folder), Number(port));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    throw new Error(
      `The data folder ${dataDir} belongs to another user. Run this command as that user or as root.`,
    );
  }
}
