import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { signalProcess } from "./process-table.ts";
import type { ServerUser } from "./server-user.ts";

/** Folder of PostgreSQL's files: working directory for `spawn`, and value of the argument `-D`. */
interface ClusterFolder {
  cwd: string;
  argument: string;
}

const superuser = "parley";

/** Reads the superuser's password, which only the server's user and root can read. */
export function readPassword(folder: string): string {
  return readFileSync(join(folder, "password"), "utf8");
}

/** Returns the connection string for the database `postgres` of the server on this machine. */
export function superuserUrl(password: string, port: number): string {
  return `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres`;
}

/**
 * Creates the folder with a new database cluster and its password, unless it exists. The creation is atomic, even if it
 * fails or several processes try it at the same time.
 *
 * @throws Error with initdb's message, for example about a full disk
 */
export function ensureCluster(folder: string, binaries: Binaries, user?: ServerUser, durable = true): void {
  if (existsSync(folder)) return;
  removeRemains(folder);
  const unfinished = `${folder}.new-${process.pid}`;
  const password = join(unfinished, "password");
  const cluster = join(unfinished, "cluster");
  try {
    for (const path of [unfinished, cluster]) mkdirSync(path, { mode: 0o700 });
    writeFileSync(password, randomBytes(24).toString("base64url"), { mode: 0o600 });
    if (user !== undefined) {
      for (const path of [unfinished, password, cluster]) chownSync(path, user.uid, user.gid);
    }
    initdb(binaries, unfinished, user, durable);
    renameSync(unfinished, folder);
  } catch (error) {
    // If another process created the folder first, its folder is used.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Removes the unfinished folders of processes that were killed. */
function removeRemains(folder: string): void {
  const prefix = `${basename(folder)}.new-`;
  for (const name of readdirSync(dirname(folder)).filter((name) => name.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length));
    if (pid === process.pid || !signalProcess(pid, 0))
      rmSync(join(dirname(folder), name), { recursive: true });
  }
}

function initdb(binaries: Binaries, folder: string, user: ServerUser | undefined, durable: boolean): void {
  const { cwd, argument } = clusterFolder(folder, user);
  const options = [
    ...["-D", argument, "--username", superuser, "--pwfile=../password", "--auth=scram-sha-256"],
    ...["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    ...["--no-instructions", ...(durable ? [] : ["--no-sync"])],
  ];
  const run = spawnSync(binaries.initdb, options, {
    ...user,
    cwd,
    env: { TZ: "UTC", LC_ALL: "C" },
    encoding: "utf8",
  });
  if (run.status === 0) return;
  const reason = run.error?.message ?? (run.stderr || run.stdout).trim();
  throw new Error(`PostgreSQL could not create its files in ${dirname(folder)}:\n${reason}`);
}

/**
 * Returns how the server accesses its cluster. If its user cannot access a parent folder (a repository in root's home), the process is
 * started inside the cluster, and Linux has an absolute path for the working directory.
 *
 * @throws Error if this is necessary on another system than Linux
 */
export function clusterFolder(folder: string, user?: ServerUser): ClusterFolder {
  const cwd = join(folder, "cluster");
  if (user === undefined) return { cwd, argument: cwd };
  const reachable = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", cwd], { ...user, cwd: "/" }).status === 0;
  if (reachable) return { cwd, argument: cwd };
  if (process.platform === "linux") return { cwd, argument: "/proc/self/cwd" };
  throw new Error(
    `PostgreSQL does not run as root, and its user cannot access ${folder}. Set DATA_DIR to another folder.`,
  );
}
