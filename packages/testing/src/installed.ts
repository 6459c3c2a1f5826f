import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders in which Debian keeps servers, and which ordinary users do not have in PATH. */
const systemFolders = ["/usr/sbin", "/usr/local/sbin"];

/**
 * Returns the path of a program, or null if it is not installed. Tests that need it are then skipped, but not in CI, which installs it.
 *
 * @param skipped what is skipped without it, for the message
 * @throws Error in CI if the program is not installed
 */
export function findInstalled(program: string, skipped: string): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...systemFolders];
  const path = folders.map((folder) => join(folder, program)).find(isExecutable);
  if (path !== undefined) return path;
  const message = `${program} is not installed: ${skipped} are skipped`;
  if (process.env["CI"]) throw new Error(message);
  console.warn(message);
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
