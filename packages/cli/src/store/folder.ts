import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Failure } from "@parley/command-line";

/** Returns the folder of the command line's files: PARLEY_CONFIG_DIR, or `parley` in the user's configuration folder. */
function folder(): string {
  const { PARLEY_CONFIG_DIR, XDG_CONFIG_HOME, APPDATA } = process.env;
  if (PARLEY_CONFIG_DIR) return PARLEY_CONFIG_DIR;
  const base = process.platform === "win32" ? APPDATA : XDG_CONFIG_HOME;
  return join(base || join(homedir(), ".config"), "parley");
}

/** Returns the text of a file in the folder; undefined if there is none. */
export function readStored(name: string): string | undefined {
  try {
    return readFileSync(join(folder(), name), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw failure("read", name, error);
  }
}

/** Writes a file that only the user can read. Another process sees either the old or the new text. */
export function writeStored(name: string, text: string): void {
  const file = join(folder(), name);
  const temporary = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    throw failure("write", name, error);
  }
}

/** Removes a file, if it exists. */
export function removeStored(name: string): void {
  rmSync(join(folder(), name), { force: true });
}

/** Returns an error that names the file and the fix. */
function failure(action: "read" | "write", name: string, error: unknown): Failure {
  const { code = "" } = error as NodeJS.ErrnoException;
  return new Failure(
    `Cannot ${action} ${join(folder(), name)} (${code}). Set PARLEY_CONFIG_DIR to a folder of your user.`,
  );
}
