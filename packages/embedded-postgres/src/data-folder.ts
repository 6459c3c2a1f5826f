import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const reasons: Record<string, string> = {
  ENOENT: "no folder can be created there",
  ENOTDIR: "a part of this path is not a folder",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this user is used up",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
};

/** How PostgreSQL and initdb put it; 53100 is the SQLSTATE of a full disk. */
const wordsOfPostgres: [RegExp, string][] = [
  [/No space left on device|\(53100\)/, "ENOSPC"],
  [/Disk quota exceeded/, "EDQUOT"],
  [/Read-only file system/, "EROFS"],
];

/**
 * Creates the data folder unless it exists, and writes a file in it to see that it takes files.
 *
 * @returns its real path
 * @throws Error that names DATA_DIR, the path, the reason and what to do
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

/** Returns an error that names DATA_DIR where `error` says that its disk is full or read-only; else `error` itself. */
export function explainDataFolder(dataDir: string, error: unknown): unknown {
  const { code = "", message = "" } = (error ?? {}) as { code?: string; message?: string };
  const known = wordsOfPostgres.find(([words]) => words.test(`${message} (${code})`))?.[1] ?? code;
  return ["ENOSPC", "EDQUOT", "EROFS"].includes(known) ? dataFolderError(dataDir, known, error) : error;
}

function dataFolderError(dataDir: string, code: string, cause: unknown): Error {
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new Error(
    `Parley cannot keep its data in ${resolve(dataDir)} (DATA_DIR): ${reason}. ` +
      "Set DATA_DIR to a folder on a disk with room that this user can write to, for example DATA_DIR=$HOME/parley.",
    { cause },
  );
}

/** Node's own `recursive` never returns where the parent exists and yet the answer is ENOENT, as below /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Another process was faster, or it is something else than a folder.
    if (!statSync(path).isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  }
}
