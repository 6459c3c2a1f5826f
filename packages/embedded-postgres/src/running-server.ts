import { readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPassword, superuserUrl } from "./cluster.ts";
import { commandLine, signalProcess } from "./process-table.ts";

/** Inert settings on the server's command line, by which a later start recognises it. */
export function birthmark(folder: string, owner: number | "" = process.pid): string[] {
  return ["-c", `parley.folder=${folder}`, "-c", `parley.owner=${owner}`];
}

/**
 * Makes sure that no server runs on the folder. A server outlives its parent only where the parent's watcher was
 * killed as well, or for the moment that its shutdown takes: such an orphan is stopped.
 *
 * @throws where the server's parent is alive: two programs must not share a data folder.
 */
export async function endOrphan(folder: string): Promise<void> {
  const pidFile = join(folder, "cluster/postmaster.pid");
  const pid = await readPid(pidFile);
  if (pid === undefined) return;

  const owner = ownerOf(pid, folder);
  if (owner === undefined) {
    // Left by a crash. PostgreSQL would be misled if the number belongs to another process by now.
    rmSync(pidFile, { force: true });
    return;
  }
  if (signalProcess(owner, 0)) {
    throw new Error(
      `The data folder ${folder} is in use: process ${owner} runs a PostgreSQL server on it (process ${pid}). ` +
        "Stop that process, or set DATA_DIR to another folder.",
    );
  }
  // Fast shutdown first (roll back, write a checkpoint); then the one which leaves the rest to crash recovery.
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    signalProcess(pid, signal);
    for (let waited = 0; waited < 10_000; waited += 20) {
      if (ownerOf(pid, folder) === undefined) return;
      await sleep(20);
    }
  }
  throw new Error(`The PostgreSQL server (process ${pid}) which was left behind on ${folder} does not stop.`);
}

/** The number that the file holds. It is empty for the moment in which a server starts; longer only after a crash. */
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

/** The parent of the server `pid`; `undefined` if that is not a living server of this folder. */
function ownerOf(pid: number, folder: string): number | undefined {
  const [, owner] = commandLine(pid).split(birthmark(folder, "").join(" "));
  return owner === undefined ? undefined : Number.parseInt(owner, 10);
}

/**
 * The connection string of the embedded server that another process runs on a data folder.
 *
 * @returns undefined where none runs
 * @throws where the folder is closed to this user
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
    throw new Error(`The data folder ${dataDir} belongs to another user: run this as that user, or as root.`);
  }
}
