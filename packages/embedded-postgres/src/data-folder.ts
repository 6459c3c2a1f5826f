import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const reasons: Record<string, string> = {
  ENOENT: "the folder cannot be created",
  ENOTDIR: "a part of this path is not a folder",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this user is exceeded",
  EACCES: "this user has no write permission",
  EPERM: "this user has no write permission",
};

/** Error codes for messages of PostgreSQL and initdb; 53100 is the SQLSTATE of a full disk. */
const postgresMessages: [RegExp, string][] = [
  [/No space left on device|\(53100\)/, "ENOSPC"],
  [/Disk quota exceeded/, "EDQUOT"],
  [/Read-only file system/, "EROFS"],
];

/**
 * Creates the data folder unless it exists, and checks that files can be written to it.
 *
 * @returns its real path
 * @throws Error with DATA_DIR, the path, the reason and a remedy
 */
export function openDataFolder(dataDir: string): string {
  try {
    makeFolder(resolve(dataDir));
    const test = join(dataDir, `.write-test-${process.pid}`);
    try {
      writeFileSync(test, Buffer.alloc(8_192));
    } finally {
      rmSync(test, { force: true });
    }
    return realpathSync(dataDir);
  } catch (error) {
    throw dataFolderError(dataDir, (error as NodeJS.ErrnoException).code ?? "", error);
  }
}

/** Returns an error about DATA_DIR if `error` means that its disk is full or read-only; otherwise `error` itself. */
export function explainDataFolder(dataDir: string, error: unknown): unknown {
  const { code = "", message = "" } = (error ?? {}) as { code?: string; message?: string };
  const known = postgresMessages.find(([pattern]) => pattern.test(`${message} (${code})`))?.[1] ?? code;
  return ["ENOSPC", "EDQUOT", "EROFS"].includes(known) ? dataFolderError(dataDir, known, error) : error;
}

function dataFolderError(dataDir: string, code: string, cause: unknown): Error {
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new Error(
    `Parley cannot store its data in ${resolve(dataDir)} (DATA_DIR): ${reason}. ` +
      "Set DATA_DIR to a folder that this user can write to, on a disk with free space, for example DATA_DIR=$HOME/parley.",
    { cause },
  );
}

/** Creates a folder with its parents. Node's `recursive` option never returns if mkdir fails with ENOENT in an existing parent, as in /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Another process has created the folder, or a file has this name.
    if (!statSync(path).isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  }
}
