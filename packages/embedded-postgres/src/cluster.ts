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

/** A place for PostgreSQL's files, as `spawn` options and as its argument `-D`. */
interface ClusterPlace {
  cwd: string;
  argument: string;
}

const superuser = "parley";

/** The superuser's password, which only the server's user and root can read. */
export function readPassword(folder: string): string {
  return readFileSync(join(folder, "password"), "utf8");
}

/** Connection string for the database `postgres` of the server on this machine. */
export function superuserUrl(password: string, port: number): string {
  return `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres`;
}

/**
 * Creates the folder with a new database cluster and its password in it, or leaves it as it is.
 * It appears complete or not at all, whatever happens and however many processes try at once.
 *
 * @throws initdb's own message, for instance about a full disk.
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
    // A twin was faster and its folder is as good as ours; anything else is our own failure.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Of processes that were killed in the middle of this. */
function removeRemains(folder: string): void {
  const prefix = `${basename(folder)}.new-`;
  for (const name of readdirSync(dirname(folder)).filter((name) => name.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length));
    if (pid === process.pid || !signalProcess(pid, 0))
      rmSync(join(dirname(folder), name), { recursive: true });
  }
}

function initdb(binaries: Binaries, folder: string, user: ServerUser | undefined, durable: boolean): void {
  const { cwd, argument } = clusterPlace(folder, user);
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
 * Below a folder that the server's user cannot enter (a checkout in root's home) no path leads to the cluster, but the
 * process can be started inside of it, and Linux has an absolute name for that.
 *
 * @throws where another system than Linux would need this.
 */
export function clusterPlace(folder: string, user?: ServerUser): ClusterPlace {
  const cwd = join(folder, "cluster");
  if (user === undefined) return { cwd, argument: cwd };
  const reachable = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", cwd], { ...user, cwd: "/" }).status === 0;
  if (reachable) return { cwd, argument: cwd };
  if (process.platform === "linux") return { cwd, argument: "/proc/self/cwd" };
  throw new Error(
    `PostgreSQL, which root must not run, cannot enter ${folder}. Set DATA_DIR to another folder.`,
  );
}
